import { describe, expect, it } from "vitest";
import { checkConfirmed, checkFields, checkTyped } from "../../../../../main/console/acting/checks.ts";
import { checkConsent } from "../../../../../main/console/acting/consent.ts";
import { frictionOf } from "../../../../../main/console/acting/friction.ts";
import {
  evidenceLine,
  forceUnlockOf,
  requestOf,
  resolveOf,
} from "../../../../../main/console/acting/intended.ts";
import type { Actors } from "../../../../../main/console/acting/ports.ts";
import { breakGlassSentence, isBreakGlassSentence } from "../../../../../main/console/acting/sentence.ts";
import { createShownPlans } from "../../../../../main/console/acting/shown-plans.ts";
import { stopGround } from "../../../../../main/console/acting/stop-ground.ts";
import { type Intent, type LockDetail, missingFields, STOP_CHECKS } from "../../../../../shared/api/index.ts";
import {
  type DangerLevel,
  type Evidence,
  needed,
  type OperationName,
  type OperationPlan,
  operationPlan,
  type SeenRecords,
} from "../../../../../shared/domain/operations/index.ts";
import { ok } from "../../../../../shared/domain/problem.ts";
import { code } from "../../../../support/console-fixture.ts";

const ACTORS: Actors = {
  account: "tanaka",
  requestedBy: "tanaka",
  servicePrincipal: "HOST-A",
  profile: "prod",
};
const READ_AT = "2026-09-05T03:00:00.000Z";
const LOCK = { recordId: "7", revision: 214 };

type Of<Kind extends Intent["kind"]> = Extract<Intent, { kind: Kind }>;

const force = (over: Partial<Of<"forceUnlock">> = {}): Of<"forceUnlock"> => ({
  kind: "forceUnlock",
  recordId: "7",
  networkId: "sales_import",
  profile: "prod",
  ownerInvocationId: "invoke_0123456789abc41f",
  pid: 8812,
  stopLabel: "processEnded",
  stopOther: "",
  stopConfirmedBy: "sato",
  checked: [],
  evidenceText: "INC-1",
  evidenceFiles: [],
  reason: "power lost at 03:12",
  withoutAudit: false,
  ...over,
});
const resolve = (over: Partial<Of<"resolve">> = {}): Of<"resolve"> => ({
  kind: "resolve",
  runId: "netrun_1",
  nodeId: "load",
  outcome: "SUCCESS",
  manualCompletion: true,
  compensation: false,
  evidenceText: "3,000 rows",
  evidenceFiles: [],
  stopConfirmedBy: "sato",
  stopEvidence: "JOB log closed",
  reason: "all rows are there",
  ...over,
});
const close: Intent = { kind: "close", runId: "netrun_1", reason: "dropped for good" };

const plan = (
  operation: OperationName,
  danger: DangerLevel,
  more: { readonly seen?: SeenRecords; readonly evidence?: readonly Evidence[] } = {},
): OperationPlan =>
  operationPlan({
    operation,
    danger,
    subject: { networkId: "sales_import", businessKey: "2026-09-05", runId: "netrun_1", nodeId: "load" },
    seen: more.seen ?? { lock: LOCK },
    readAt: READ_AT,
    ...(more.evidence && { evidence: more.evidence }),
  });

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

describe("friction by danger (operator-ux §2.1)", () => {
  it.each<[string, Intent, OperationPlan, object]>([
    [
      "L1 asks for nothing",
      { kind: "requestCancel", requestId: "3" },
      plan("REQUEST_CANCEL", "L1"),
      { identifier: null, armMs: 0, secondPerson: false, breakGlassSentence: null },
    ],
    [
      "L2 asks for its reason alone",
      { kind: "stop", runId: "netrun_1", reason: "" },
      plan("STOP", "L2"),
      { identifier: null, armMs: 0, secondPerson: false, breakGlassSentence: null },
    ],
    [
      "L3 asks for the identifier",
      { kind: "rerun", runId: "netrun_1", fromNode: "load", reason: "" },
      plan("RERUN_FROM", "L3"),
      { identifier: "2026-09-05", armMs: 3_000, secondPerson: false, breakGlassSentence: null },
    ],
    [
      "L3 of a record with an approver asks for one, and takes no sentence",
      resolve(),
      plan("RESOLVE_NODE", "L3", { evidence: needed("approvedBy") }),
      { identifier: "2026-09-05/load", armMs: 3_000, secondPerson: true, breakGlassSentence: null },
    ],
    [
      "L4 asks for all of it",
      force(),
      plan("FORCE_UNLOCK", "L4"),
      {
        identifier: "789abc41f".slice(-8),
        armMs: 3_000,
        secondPerson: true,
        breakGlassSentence: {
          ja: "承認者の同意なしに 89abc41f を一人で行い、後の確認を受けます",
          en: "I do this to 89abc41f alone, without an approver, and will have it reviewed",
        },
      },
    ],
  ])("%s", (_, intent, made, wanted) => {
    expect(frictionOf(intent, made)).toEqual(wanted);
  });
});

describe("the identifier that is typed (operator-ux D4, D5)", () => {
  const wants = (identifier: string | null) => ({
    friction: { identifier, armMs: 0, secondPerson: false, breakGlassSentence: null },
  });
  it.each<[string | null, string, boolean | null]>([
    ["2026-09", "2026-09", null],
    ["が月", "か\u3099月", null],
    [null, "anything", null],
    ["2026-09", "２０２６-０９", true],
    ["2026-09", " 2026-09", true],
    ["2026-09", "2026-10", false],
    ["Night", "night", false],
  ])("%s typed as %s", (identifier, typed, lookalike) => {
    const checked = checkTyped(typed, wants(identifier));
    if (lookalike === null) expect(checked.ok).toBe(true);
    else expect(checked).toMatchObject({ error: { code: "IDENTIFIER_MISMATCH", details: { lookalike } } });
  });
});

describe("whether the world still is what was shown (operator-ux D6)", () => {
  const shown = plan("FORCE_UNLOCK", "L4");
  const moved = { lock: { ...LOCK, revision: 215 } };
  it.each<[string, Intent, SeenRecords, string | null]>([
    ["it is", force(), shown.seen, null],
    ["the lock beat", force(), moved, "HEARTBEAT_ADVANCED"],
    ["the lock is another record", force(), { lock: { ...LOCK, recordId: "9" } }, "PLAN_STALE"],
    ["the lock is gone", force(), { lock: null }, "PLAN_STALE"],
    ["another record moved", close, moved, "PLAN_STALE"],
  ])("%s", (_, intent, now, expected) => {
    const input = { seen: { ...shown.seen }, fingerprint: shown.fingerprint };
    const fresh = plan("FORCE_UNLOCK", "L4", { seen: now });
    expect(code(checkConfirmed(intent, fresh, input))).toBe(expected);
  });

  it("refuses a fingerprint that is not that of the records it comes with", () => {
    const input = { seen: { ...shown.seen }, fingerprint: "0123456789abcdef" };
    expect(code(checkConfirmed(force(), shown, input))).toBe("PLAN_NOT_SHOWN");
  });

  it("knows how old a plan was, of what it showed for that very thing alone", () => {
    let now = Date.parse(READ_AT);
    const plans = createShownPlans(() => now);
    plans.shown(force(), shown);
    now += 1_500;
    expect(plans.ageMs(force({ reason: "typed since" }), shown.fingerprint)).toBe(1_500);
    expect(plans.ageMs(close, shown.fingerprint)).toBeNull();
    expect(plans.ageMs(force(), "0123456789abcdef")).toBeNull();
    expect(plans.ageMs(force({ withoutAudit: true }), shown.fingerprint)).toBeNull();
    plans.shown(resolve({ outcome: "CANCELLED" }), shown);
    expect(plans.ageMs(resolve({ outcome: "SUCCESS" }), shown.fingerprint)).toBeNull();
  });
});

describe("what a form still owes (operator-ux §2.1, D11)", () => {
  const evidence = needed("reason", "evidenceRef", "stopConfirmedBy", "stopEvidenceRef", "stopMethod");
  it.each<[string, Intent, readonly string[]]>([
    ["nothing", force(), []],
    ["a reason", force({ reason: "1234 " }), ["reason"]],
    ["a reason somebody can see", force({ reason: "ab\u200b\u2060\u3164\u2800" }), ["reason"]],
    ["evidence somebody can see", force({ evidenceText: "\u200b" }), ["evidenceText"]],
    ["evidence, which a file may be", force({ evidenceText: " " }), ["evidenceText"]],
    ["nothing beside its file", force({ evidenceText: "", evidenceFiles: ["a".repeat(64)] }), []],
    [
      "everything, in the order of the form",
      force({ reason: "", evidenceText: "", stopConfirmedBy: "", stopLabel: "other" }),
      ["reason", "evidenceText", "stopConfirmedBy", "stopOther"],
    ],
    ["its own proof of the end", resolve({ stopEvidence: "" }), ["stopEvidence"]],
  ])("%s", (_, intent, fields) => {
    expect(missingFields(intent, evidence).map(({ field }) => field)).toEqual(fields);
    const checked = checkFields(intent, plan("FORCE_UNLOCK", "L4", { evidence }));
    expect(checked.ok ? null : checked.error.place).toBe(fields[0] ?? null);
  });

  it("a request is taken back without a reason", () => {
    expect(missingFields({ kind: "requestCancel", requestId: "3" }, [])).toEqual([]);
  });
});

describe("the second person (operator-ux §2.4)", () => {
  const made = plan("CLOSE", "L4");
  const friction = frictionOf(close, made);
  const asked: string[][] = [];
  const prove = async (account: string, _: string, requesters: readonly string[]) => {
    asked.push([account, ...requesters]);
    return ok({ account, passphraseBy: account === "bob" ? "tanaka" : null });
  };
  const consent = (given: Parameters<typeof checkConsent>[2], intent: Intent = close) =>
    checkConsent(intent, { plan: made, friction }, given, ["tanaka", "app"], prove);

  it("is asked for only where the plan asks for it", async () => {
    const light = { plan: plan("STOP", "L2"), friction: { ...friction, secondPerson: false } };
    const given = await checkConsent(close, light, { kind: "none" }, ["tanaka"], prove);
    expect(given).toEqual({ ok: true, value: { kind: "none", account: null } });
    expect(code(await consent({ kind: "none" }))).toBe("CONSENT_REQUIRED");
  });

  it("is proven against everybody who acts", async () => {
    expect(await consent({ kind: "person", account: "suzuki", passphrase: "p" })).toEqual({
      ok: true,
      value: { kind: "person", account: "suzuki" },
    });
    expect(asked.at(-1)).toEqual(["suzuki", "tanaka", "app"]);
  });

  it("is taken, and told apart, with a passphrase the one who acts had set", async () => {
    expect(await consent({ kind: "person", account: "bob", passphrase: "p" })).toEqual({
      ok: true,
      value: { kind: "person", account: "bob", passphraseBy: "tanaka" },
    });
  });

  it.each(["ja", "en"] as const)(
    "may be replaced by the sentence in %s, word by word, with proof",
    async (language) => {
      const sentence = breakGlassSentence(close, made)[language];
      const long: Intent = { ...close, reason: "nobody else is here tonight, dropped for good" };
      expect((await consent({ kind: "breakGlass", sentence }, long)).ok).toBe(true);
      expect(code(await consent({ kind: "breakGlass", sentence }))).toBe("BREAK_GLASS_EVIDENCE_REQUIRED");
      const unseen: Intent = { ...close, reason: "\u200b".repeat(30) };
      expect(code(await consent({ kind: "breakGlass", sentence }, unseen))).toBe(
        "BREAK_GLASS_EVIDENCE_REQUIRED",
      );
      expect(isBreakGlassSentence(`${sentence}.`, close, made)).toBe(false);
      expect(isBreakGlassSentence(sentence.normalize("NFD"), close, made)).toBe(true);
      expect(sentence).toContain("2026-09-05");
    },
  );
});
