import { describe, expect, it } from "vitest";
import {
  type ActivityFacts,
  forceUnlockAllowedAt,
  formatLocalOwner,
  isStaleCandidate,
  liveOwner,
  ownerInstanceIdOf,
  ownerStatusReason,
  parseOwnerInstance,
  runActivity,
} from "../../../../shared/domain/index.ts";

const expiry = "2026-09-01T00:05:00Z";
const edge = Date.parse("2026-09-01T00:06:00.000Z");
const lock = { ownerInvocationId: "invoke_1", leaseExpiresAt: expiry };

describe("lease arithmetic (orchestration §3.3)", () => {
  it.each([
    [edge - 1, true],
    [edge, true],
    [edge + 1, false],
  ])("at %i a Run is live or its lock may be forced, never both (wire-format §7 row 16)", (now, live) => {
    const allowedAt = forceUnlockAllowedAt(expiry);
    expect(liveOwner(lock, ["invoke_1"], now)).toBe(live);
    expect(isStaleCandidate(expiry, now)).toBe(!live);
    expect(allowedAt !== null && now >= allowedAt).toBe(!live);
  });

  it("never forces a lock whose expiry cannot be read, and never calls its owner live", () => {
    expect(forceUnlockAllowedAt("")).toBeNull();
    expect(isStaleCandidate("", edge)).toBe(false);
    expect(liveOwner({ ...lock, leaseExpiresAt: "" }, ["invoke_1"], edge)).toBe(false);
  });

  it("has no live owner in a tombstone", () => {
    expect(liveOwner({ ...lock, ownerInvocationId: null }, ["invoke_1"], edge)).toBe(false);
  });
});

describe("stopping and stopped are two things (W-30)", () => {
  const running: ActivityFacts = {
    status: "RUNNING",
    startedAt: expiry,
    invocationIds: ["invoke_1"],
    lock,
    hold: "REQUESTED",
  };
  it.each([
    ["held while the owner lives", {}, { activity: "STOPPED", live: true, stop: "stopping" }],
    ["held without owner", { lock: null }, { activity: "STOPPED", live: false, stop: "stopped" }],
    ["not held", { hold: null }, { activity: "LIVE", live: true, stop: null }],
    ["released hold", { hold: "RELEASED" }, { activity: "LIVE", live: true, stop: null }],
    ["terminal and held", { status: "FAILED", lock: null }, { activity: null, live: false, stop: null }],
    [
      "a resume under way (W-06)",
      { status: "FAILED", hold: null },
      { activity: null, live: true, stop: null },
    ],
    ["a held resume under way", { status: "FAILED" }, { activity: null, live: true, stop: "stopping" }],
  ] as const)("%s", (_, facts, expected) => {
    expect(runActivity({ ...running, ...facts }, edge)).toEqual(expected);
  });
});

describe("owner instances (orchestration §3.5)", () => {
  it.each([
    ["local-pid://host1/4321", { kind: "local-pid", host: "host1", pid: 4321 }],
    ["local-pid://host1/0", { kind: "other", text: "local-pid://host1/0" }],
    ["local-pid://host1/-1", { kind: "other", text: "local-pid://host1/-1" }],
    [
      "local-pid://host1/99999999999999999999",
      { kind: "other", text: "local-pid://host1/99999999999999999999" },
    ],
    ["local-pid:///1", { kind: "other", text: "local-pid:///1" }],
    ["host1", { kind: "other", text: "host1" }],
    [
      "projects/p/locations/l/jobs/j/executions/e",
      { kind: "cloud-run", execution: "projects/p/locations/l/jobs/j/executions/e" },
    ],
  ])("%s", (text, expected) => {
    expect(parseOwnerInstance(text)).toEqual(expected);
  });

  it("come back from the lock's status reason as they were written", () => {
    const id = formatLocalOwner("PC-01", 77);
    expect(ownerInstanceIdOf(ownerStatusReason(id))).toBe(id);
    expect(ownerInstanceIdOf("OK")).toBe("");
  });
});
