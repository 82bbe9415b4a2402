import { describe, expect, it } from "vitest";
import {
  type CloudRunAnswer,
  checkForcedReleaseInputs,
  checkHeldLock,
  checkStop,
  checkUnmoved,
  type ForcedReleaseWish,
} from "../../shared/domain/forced-release.ts";
import type { NetworkLock, Stored } from "../../shared/domain/index.ts";
import { lockOwnerVerdict } from "../../shared/domain/lock-owner.ts";
import { ownerInstanceIdOf, parseOwnerInstance } from "../../shared/domain/owner-instance.ts";
import { DIFFERENCES } from "./differences.ts";
import { loadVectors, text, type VectorCase } from "./load.ts";
import { lockOf } from "./lock-record.ts";

type Input = VectorCase["input"];

/** Cases about the requests themselves; the store's own suite fixes them (fenced-writes R2, R3, R7). */
const WRITES: ReadonlySet<string> = new Set([
  "force-unlock-put-409",
  "force-unlock-put-500",
  "force-unlock-response-lost-after-write",
  "force-unlock-request-lost",
  "force-unlock-read-fails",
  "force-unlock-audit-fails",
]);

function wishOf(input: Input): ForcedReleaseWish {
  const request = { kind: "request", ...(input.request as Readonly<Record<string, unknown>>) };
  return {
    networkId: text(request, "network_id"),
    profile: text(request, "profile"),
    expectedOwnerInvocationId: text(request, "expected_owner_invocation_id"),
    reason: text(request, "reason"),
    evidenceRef: text(request, "evidence_ref"),
    stopConfirmedBy: text(request, "stop_confirmed_by"),
    stopEvidenceRef: text(request, "stop_evidence_ref"),
    stopMethod: text(request, "stop_method"),
    servicePrincipal: text(request, "service_principal"),
    requestedBy: text(request, "requested_by"),
    expectedPid: null,
  };
}

const SIGNAL_ZERO = {
  ESRCH: { kind: "gone" },
  EPERM: { kind: "unreadable" },
  alive: { kind: "exists", processStart: null },
} as const;

function ownerOf(input: Input, lock: Stored<NetworkLock>) {
  const instance = parseOwnerInstance(ownerInstanceIdOf(lock.statusReason));
  const said = input.process;
  return lockOwnerVerdict({
    sameHost: instance.kind === "local-pid" && instance.host === input.host,
    namesPid: instance.kind === "local-pid",
    lockStartedAt: lock.startedAt,
    process: said === "ESRCH" || said === "EPERM" || said === "alive" ? SIGNAL_ZERO[said] : { kind: "unreadable" },
    journal: { kind: "none" },
  });
}

function cloudRunOf(input: Input): CloudRunAnswer | null {
  const body = input.cloud_run as Readonly<Record<string, unknown>> | undefined;
  if (body === undefined || input.gcp_token === "") return null;
  const time = body.completionTime;
  return typeof time === "string" ? { kind: "ended", completionTime: time } : { kind: "running" };
}

function verdict(input: Input): string {
  const wish = wishOf(input);
  const lock = input.lock_record === null ? null : lockOf({ kind: "lock", ...(input.lock_record as object) });
  const inputs = checkForcedReleaseInputs(wish);
  if (!inputs.ok) return inputs.error.code;
  const held = checkHeldLock(lock, wish, Date.parse(text(input, "now")));
  if (!held.ok) return held.error.code;
  const stop = checkStop(wish.stopMethod, { owner: ownerOf(input, held.value), cloudRun: cloudRunOf(input) });
  if (!stop.ok) return stop.error.code;
  const unmoved = checkUnmoved(held.value, after(held.value, input.record_changes_after_first_read));
  return unmoved.ok ? "RELEASED" : unmoved.error.code;
}

function after(lock: Stored<NetworkLock>, changes: unknown): Stored<NetworkLock> {
  if (typeof changes !== "object" || changes === null) return lock;
  const heartbeat = "heartbeat_at" in changes ? String(changes.heartbeat_at) : lock.heartbeatAt;
  return { ...lock, heartbeatAt: heartbeat, ref: { ...lock.ref, revision: lock.ref.revision + 1 } };
}

/** One minute and a millisecond later: beyond the moment in which ours still says live (differences). */
function laterBy1(input: Input): Input {
  return { ...input, now: new Date(Date.parse(text(input, "now")) + 1).toISOString() };
}

describe("whether a Network lock may be taken from its owner (orchestration §3.5)", () => {
  const cases = loadVectors("lock-lease.json", ["force_unlock"]).filter(({ name }) => !WRITES.has(name));
  const instant = (input: Input): boolean => text(input, "now") === "2026-09-01T00:06:00.000Z";

  it.each(cases)("$name", ({ input, expected }) => {
    expect(verdict(instant(input) ? laterBy1(input) : input)).toBe(expected.verdict);
  });

  it("at exactly expiry + 60 s the lock is left to its owner (wire-format §7 row 16)", () => {
    const [first] = cases;
    if (first === undefined) throw new Error("no case");
    expect(DIFFERENCES.has(first.name)).toBe(true);
    expect(verdict(first.input)).toBe("LEASE_STILL_ACTIVE");
  });

  it("every case of the kind is decided here or about a request alone", () => {
    expect(cases.length + WRITES.size).toBe(loadVectors("lock-lease.json", ["force_unlock"]).length);
  });
});
