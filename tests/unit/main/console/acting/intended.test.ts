import { describe, expect, it } from "vitest";
import {
  evidenceLine,
  forceUnlockOf,
  requestOf,
  resolveOf,
} from "../../../../../main/console/acting/intended.ts";
import { stopGround } from "../../../../../main/console/acting/stop-ground.ts";
import { type LockDetail, STOP_CHECKS } from "../../../../../shared/api/index.ts";
import { ACTORS, force, type Of, READ_AT, resolve } from "./samples.ts";

const detail = (
  holder: Partial<NonNullable<LockDetail["lock"]["holder"]>>,
  verdict: LockDetail["verdict"],
  probes: LockDetail["probes"] = [],
): LockDetail => ({
  lock: {
    networkId: "sales_import",
    profile: "prod",
    holder: {
      recordId: "7",
      ownerInvocationId: "invoke_0123456789abc41f",
      ownerInstanceId: "local-pid://HOST-A/8812",
      host: "HOST-A",
      pid: 8812,
      thisHost: true,
      startedAt: READ_AT,
      heartbeatAt: READ_AT,
      leaseExpiresAt: READ_AT,
      marginEndsAt: READ_AT,
      staleCandidate: true,
      revision: 214,
      runId: null,
      businessKey: null,
      ...holder,
    },
  },
  currentNodes: [],
  nodesProblem: null,
  probes,
  verdict,
  readAt: READ_AT,
});
const GONE = { kind: "gone", by: "pid" } as const;
const ALIVE = { kind: "alive", by: "creation-time" } as const;
const UNCLEAR = { kind: "cannot-tell", by: "unreadable" } as const;
const ELSEWHERE = { kind: "cannot-tell", by: "other-host" } as const;
const child = (result: "alive" | "ended") =>
  ({ probe: "children", result, state: null, at: READ_AT, seen: null }) as const;

describe("what a forced release rests on (decisions §3, operator-ux §2.3 step 3)", () => {
  it.each<[string, Partial<Of<"forceUnlock">>, LockDetail | null, string, readonly string[]]>([
    ["its process seen gone here", {}, detail({}, GONE), "local_pid", []],
    ["its PID seen at another process", {}, detail({}, { kind: "another", by: "journal" }), "local_pid", []],
    ["alive here: the plan itself refuses", {}, detail({}, ALIVE), "local_pid", []],
    [
      "a word against a living process",
      { stopLabel: "powerOff" },
      detail({}, ALIVE),
      "manual",
      ["STOP_NOT_CONFIRMED"],
    ],
    [
      "a word where nothing can be told",
      { stopLabel: "other" },
      detail({}, UNCLEAR),
      "manual",
      ["STOP_NOT_CONFIRMED"],
    ],
    ["a word where it is seen gone", { stopLabel: "hostStopped" }, detail({}, GONE), "manual", []],
    ["a child that still runs", {}, detail({}, GONE, [child("alive")]), "local_pid", ["STOP_NOT_CONFIRMED"]],
    ["children that ended", {}, detail({}, GONE, [child("ended")]), "local_pid", []],
    [
      "another host, all of it looked at",
      { checked: [...STOP_CHECKS] },
      detail({ thisHost: false }, ELSEWHERE),
      "manual",
      [],
    ],
    ["another host, unseen", {}, detail({ thisHost: false }, ELSEWHERE), "manual", ["STOP_CHECKS_REQUIRED"]],
    ["no process named", { pid: null }, detail({}, GONE), "local_pid", ["PID_REQUIRED"]],
    [
      "an owner that names no process",
      { pid: null, checked: [...STOP_CHECKS] },
      detail({ pid: null, host: null, thisHost: false }, { kind: "cannot-tell", by: "no-pid" }),
      "manual",
      [],
    ],
    ["nobody holds it any more", {}, null, "manual", []],
  ])("%s", (_, over, seen, method, refusals) => {
    const ground = stopGround(force(over), seen);
    expect(ground.method).toBe(method);
    expect(ground.refusals.map((problem) => problem.code)).toEqual(refusals);
  });
});

describe("the form in the words of the wire (decisions §3)", () => {
  const ground = {
    method: "local_pid",
    processStart: "2026-09-05T02:00:00Z",
    refusals: [],
    probes: [],
  } as const;
  const files = [{ name: "photo.jpg", sha256: "a".repeat(64) }];

  it.each<[Of<"forceUnlock">["stopLabel"], string]>([
    ["processEnded", "プロセス終了確認: power lost at 03:12"],
    ["hostStopped", "ホスト停止確認: power lost at 03:12"],
    ["powerOff", "電源断確認: power lost at 03:12"],
    ["other", "その他(called the site): power lost at 03:12"],
  ])("puts the label %s first in the reason", (stopLabel, reason) => {
    const intent = force({ stopLabel, stopOther: "called the site" });
    expect(forceUnlockOf(intent, ACTORS, [], ground).wish.reason).toBe(reason);
  });

  it("puts PID, process start and files into the reference of the stop", () => {
    const { wish } = forceUnlockOf(force(), ACTORS, files, ground);
    expect(wish.stopEvidenceRef).toBe(
      `PID 8812; process start 2026-09-05T02:00:00Z; INC-1; photo.jpg sha256:${"a".repeat(64)}`,
    );
    expect(wish.evidenceRef).toBe(`INC-1; photo.jpg sha256:${"a".repeat(64)}`);
    expect(wish).toMatchObject({ expectedPid: 8812, stopMethod: "local_pid", servicePrincipal: "HOST-A" });
  });

  it("plans a form that is half filled in as if it were whole", () => {
    const { wish } = forceUnlockOf(
      force({ reason: " ", stopConfirmedBy: "", evidenceText: "" }),
      ACTORS,
      [],
      ground,
    );
    for (const text of [wish.reason, wish.stopConfirmedBy, wish.evidenceRef])
      expect(text.trim()).not.toBe("");
  });

  it("keeps text and files of a resolution together, and its approver", () => {
    const { wish } = resolveOf(resolve(), ACTORS, files, "suzuki");
    expect(wish.evidenceRef).toBe(`3,000 rows; photo.jpg sha256:${"a".repeat(64)}`);
    expect(wish).toMatchObject({
      stopEvidenceRef: "JOB log closed",
      approvedBy: "suzuki",
      requestedBy: "tanaka",
    });
    expect(evidenceLine("  ", [])).toBe("");
  });

  it.each([
    ["START", { runId: "", networkId: "net", businessKey: "k", scheduledFor: null, rerunFromNode: null }],
    ["RERUN", { runId: "netrun_1", networkId: null, businessKey: null, rerunFromNode: "load" }],
    ["STOP", { runId: "netrun_1", networkId: null, businessKey: null, rerunFromNode: null }],
  ] as const)("writes of a %s what that kind knows", (type, wanted) => {
    const intent = {
      kind: "request",
      type,
      runId: "netrun_1",
      networkId: "net",
      businessKey: "k",
      scheduledFor: " ",
      rerunFromNode: "load",
      reason: "please",
    } as const;
    expect(requestOf(intent, ACTORS, READ_AT).draft).toMatchObject(wanted);
  });
});
