import { describe, expect, it } from "vitest";
import {
  type CloudRunAnswer,
  checkHeldLock,
  checkStop,
  checkUnmoved,
} from "../../../../shared/domain/forced-release.ts";
import type { LockOwnerVerdict } from "../../../../shared/domain/lock-owner.ts";
import { storedLock } from "./run-records.ts";

const codeOf = (result: { ok: boolean; error?: { code: string } }): string => result.error?.code ?? "ok";
const LATER = Date.parse("2026-09-01T00:06:00.001Z");

describe("the lock somebody is about to take (orchestration §3.5, decisions §3)", () => {
  it.each<[number | null, string]>([
    [4321, "ok"],
    [null, "ok"],
    [4322, "PID_MISMATCH"],
  ])("a person who looked for process %s: %s", (expectedPid, expected) => {
    const wish = { expectedOwnerInvocationId: "invoke_1", expectedPid };
    expect(codeOf(checkHeldLock(storedLock(), wish, LATER))).toBe(expected);
  });

  it("says from when on a release is allowed", () => {
    const wish = { expectedOwnerInvocationId: "invoke_1", expectedPid: null };
    expect(checkHeldLock(storedLock(), wish, LATER - 1)).toMatchObject({
      error: { code: "LEASE_STILL_ACTIVE", details: { allowedAt: LATER } },
    });
  });
});

describe("whether the owner has stopped (orchestration §3.5, decisions §3)", () => {
  it.each<[LockOwnerVerdict, string]>([
    [{ kind: "gone", by: "pid" }, "ok"],
    [{ kind: "gone", by: "journal" }, "ok"],
    [{ kind: "another", by: "creation-time" }, "ok"],
    [{ kind: "alive", by: "creation-time" }, "alive"],
    [{ kind: "alive", by: "journal" }, "alive"],
    [{ kind: "cannot-tell", by: "other-host" }, "other-host"],
    [{ kind: "cannot-tell", by: "unreadable" }, "unreadable"],
    [{ kind: "cannot-tell", by: "no-creation-time" }, "no-creation-time"],
    [{ kind: "cannot-tell", by: "no-pid" }, "no-pid"],
  ])("local_pid with an owner that is %j: %s", (owner, expected) => {
    const result = checkStop("local_pid", { owner, cloudRun: null });
    expect(result.ok ? "ok" : result.error.details?.why).toBe(expected);
  });

  it.each<[CloudRunAnswer | null, string]>([
    [{ kind: "ended", completionTime: "2026-09-01T00:03:00Z" }, "ok"],
    [{ kind: "running" }, "running"],
    [{ kind: "unknown", why: "no token" }, "cloud-unknown"],
    [null, "cloud-unknown"],
  ])("cloud_run_job_execution answered with %j: %s", (cloudRun, expected) => {
    const result = checkStop("cloud_run_job_execution", { owner: { kind: "gone", by: "pid" }, cloudRun });
    expect(result.ok ? "ok" : result.error.details?.why).toBe(expected);
  });

  it("a method nobody knows confirms nothing; a known one is given back for the audit", () => {
    const facts = { owner: { kind: "gone", by: "pid" }, cloudRun: null } as const;
    expect(checkStop("by hand", facts)).toMatchObject({ error: { details: { why: "unknown-method" } } });
    expect(checkStop("local_pid", facts)).toMatchObject({ ok: true, value: "local_pid" });
  });

  it("a lock that vanished or changed owner in between counts as moved", () => {
    const lock = storedLock();
    expect(codeOf(checkUnmoved(lock, lock))).toBe("ok");
    expect(codeOf(checkUnmoved(lock, null))).toBe("HEARTBEAT_ADVANCED");
    expect(codeOf(checkUnmoved(lock, { ...lock, leaseToken: "other" }))).toBe("HEARTBEAT_ADVANCED");
    expect(codeOf(checkUnmoved(lock, { ...lock, ref: { ...lock.ref, recordId: "51" } }))).toBe(
      "HEARTBEAT_ADVANCED",
    );
  });
});
