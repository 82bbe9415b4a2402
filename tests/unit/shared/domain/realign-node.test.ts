import { describe, expect, it } from "vitest";
import type {
  Attempt,
  NetworkLock,
  NodeState,
  Resolution,
  Run,
  Stored,
} from "../../../../shared/domain/model.ts";
import { planRealignOperation } from "../../../../shared/domain/operations/index.ts";
import { planRealign, type RealignFacts, type RealignWish } from "../../../../shared/domain/realign-node.ts";
import { reconcile } from "../../../../shared/domain/reconciliation.ts";
import { realignAudit } from "../../../../shared/records/audit-events.ts";
import { storedRun } from "../../../support/entities.ts";
import { storedAttempt, storedLock, storedState } from "./run-records.ts";

const AT = "2026-09-02T00:00:00.123Z";
const WISH: RealignWish = {
  nodeId: "load",
  reason: "the remark was corrected by hand",
  evidenceRef: "INC-1",
  confirmedBy: "ops2",
  requestedBy: "ops1",
  servicePrincipal: "svc",
};
const run = (change: Partial<Run> = {}): Stored<Run> => ({
  ...storedRun({ status: "FAILED", startedAt: AT, ...change }),
  ref: { recordId: "1", revision: 9 },
});
/** A failed node that counts revision 4 and that kintone counts 6 of. */
const edited = (change: Partial<NodeState> = {}): Stored<NodeState> => ({
  ...storedState({ status: "FAILED", statusReason: "SQL_ERROR", activeAttemptId: null, ...change }),
  ref: { recordId: "11", revision: 6 },
});
const failed = (change: Partial<Attempt> = {}): Stored<Attempt> =>
  storedAttempt({ status: "FAILED", resultCode: "SQL_ERROR", ...change });
const resolved = (outcome: Resolution["outcome"]): Resolution => ({
  attemptId: "attempt_1",
  outcome,
  evidenceRef: "INC-1",
  servicePrincipal: "svc",
  requestedBy: "ops1",
  approvedBy: "ops3",
  resolutionType: "OUTCOME_CONFIRMED",
  reason: "counted",
  stopConfirmedBy: "ops2",
  stopEvidenceRef: "INC-1#2",
  resolvedAt: AT,
});
const facts = (change: Partial<RealignFacts> = {}): RealignFacts => ({
  run: run(),
  states: [edited()],
  attempts: [failed()],
  resolutions: [],
  ...change,
});
/** The codes of a refusal: its own, then what it names. */
function refusal(change: Partial<RealignFacts>, wish: Partial<RealignWish> = {}): readonly unknown[] {
  const plan = planRealign({ ...WISH, ...wish }, facts(change));
  if (plan.ok) return [];
  const found = plan.error.details?.findings;
  const named = Array.isArray(found) ? found.map((each: { readonly code: string }) => each.code) : [];
  return [plan.error.code, ...named];
}
const once = { idempotent: false } as const;
const UNTRIED = { latestAttemptNo: 0, startedAt: null } as const;

describe("taking up a Node State that was edited by hand (orchestration §11.1, §6.2)", () => {
  it("writes the revision that follows kintone's and nothing else", () => {
    const plan = planRealign(WISH, facts());
    const { ref: _ref, ...before } = edited();
    expect(plan).toMatchObject({ ok: true, value: { next: { ...before, revision: 7 } } });
    if (!plan.ok) throw new Error(plan.error.code);
    const after = { ...plan.value.next, ref: { recordId: "11", revision: 7 } };
    expect(reconcile({ ...facts(), states: [after] })).toEqual([]);
  });

  it.each<[string, Partial<RealignFacts>, Partial<RealignWish>, readonly string[]]>([
    ["a blank reason", {}, { reason: " " }, ["AUDIT_INPUT_REQUIRED"]],
    ["nobody who confirmed it", {}, { confirmedBy: "" }, ["AUDIT_INPUT_REQUIRED"]],
    ["a closed Run", { run: run({ lifecycle: "ARCHIVED" }) }, {}, ["RUN_NOT_RESUMABLE"]],
    ["no such node", {}, { nodeId: "other" }, ["NODE_STATE_NOT_UNIQUE"]],
    ["two states", { states: [edited(), edited()] }, {}, ["NODE_STATE_NOT_UNIQUE"]],
    [
      "a series that is in order",
      { states: [storedState({ status: "FAILED", activeAttemptId: null })] },
      {},
      ["REVISION_NOT_INVERTED"],
    ],
  ])("is refused: %s", (_name, change, wish, expected) => {
    expect(refusal(change, wish)).toEqual(expected);
  });

  it.each<[string, Partial<NodeState>, readonly Stored<Attempt>[], readonly Resolution[], readonly string[]]>(
    [
      [
        "an Attempt without a revision",
        {},
        [failed({ stateRevisionBefore: null })],
        [],
        ["REVISION_SERIES_UNDETERMINED"],
      ],
      [
        "RUNNING, and no active Attempt",
        { status: "RUNNING" },
        [failed()],
        [],
        ["ACTIVE_ATTEMPT_ID_MISSING", "STATUS_UNATTESTED"],
      ],
      [
        "an active Attempt that is not there",
        { status: "RUNNING", activeAttemptId: "x" },
        [failed()],
        [],
        ["ACTIVE_ATTEMPT_NOT_FOUND", "STATUS_UNATTESTED"],
      ],
      [
        "two Resolutions that differ",
        {},
        [failed()],
        [resolved("FAILED"), resolved("SUCCESS")],
        ["CONFLICTING_ATTEMPT_RESOLUTIONS"],
      ],
      [
        "an Attempt nobody applied (W-01)",
        { ...UNTRIED, status: "WAITING" },
        [storedAttempt({ status: "RUNNING", stateRevisionBefore: 4 })],
        [],
        ["ATTEMPTS_MISCOUNTED", "ATTEMPT_LEFT_OPEN"],
      ],
      [
        "a count that was raised",
        { latestAttemptNo: 2 },
        [failed()],
        [],
        ["ATTEMPTS_MISCOUNTED", "STATUS_UNATTESTED"],
      ],
      ["SUCCESS by hand", { status: "SUCCESS" }, [failed()], [], ["STATUS_UNATTESTED"]],
      [
        "SUCCESS by hand of a node that never ran",
        { ...UNTRIED, status: "SUCCESS" },
        [],
        [],
        ["STATUS_UNATTESTED"],
      ],
      ["FAILED by hand", {}, [storedAttempt()], [], ["STATUS_UNATTESTED"]],
      ["SKIPPED by hand", { status: "SKIPPED" }, [failed()], [], ["STATUS_UNATTESTED"]],
      [
        "WAITING by hand, after an unknown outcome",
        { status: "WAITING" },
        [storedAttempt()],
        [],
        ["STATUS_UNATTESTED"],
      ],
      [
        "WAITING by hand, of what must not run twice",
        { ...once, status: "WAITING" },
        [failed()],
        [],
        ["STATUS_UNATTESTED"],
      ],
      [
        "WAITING with an Attempt left open",
        { status: "WAITING" },
        [storedAttempt({ status: "RUNNING" })],
        [],
        ["ATTEMPT_LEFT_OPEN", "STATUS_UNATTESTED"],
      ],
    ],
  )("more than the revision is contradictory: %s", (_name, state, attempts, resolutions, expected) => {
    const change = { states: [edited(state)], attempts, resolutions };
    expect(refusal(change)).toEqual(["NODE_RECORDS_CONTRADICT", ...expected]);
  });

  it.each<[string, Partial<NodeState>, readonly Stored<Attempt>[], readonly Resolution[]]>([
    ["a failure", {}, [failed()], []],
    ["a success", { status: "SUCCESS" }, [storedAttempt({ status: "SUCCESS", resultCode: "OK" })], []],
    ["a success by resolution", { ...once, status: "SUCCESS" }, [failed()], [resolved("SUCCESS")]],
    ["an unknown outcome", { status: "UNKNOWN" }, [storedAttempt()], []],
    ["a resolution not applied yet", { status: "UNKNOWN" }, [storedAttempt()], [resolved("FAILED")]],
    ["a node that waits for its first turn", { ...UNTRIED, status: "WAITING" }, [], []],
    ["a blocked node", { ...UNTRIED, status: "BLOCKED" }, [], []],
    ["one set back to be retried", { status: "WAITING" }, [failed()], []],
    [
      "one that was not started after all",
      { ...once, status: "WAITING" },
      [failed({ status: "CANCELLED", resultCode: "PREPARE_FAILED" })],
      [],
    ],
    [
      "an orphan that a resume will judge",
      { status: "RUNNING", activeAttemptId: "attempt_1" },
      [storedAttempt({ status: "RUNNING", stateRevisionBefore: 2 })],
      [],
    ],
    ["an end that a resume will apply", { status: "RUNNING", activeAttemptId: "attempt_1" }, [failed()], []],
    ["a revision that was typed lower than an Attempt's", { revision: 1 }, [failed()], []],
  ])("is planned for %s", (_name, state, attempts, resolutions) => {
    expect(refusal({ states: [edited(state)], attempts, resolutions })).toEqual([]);
  });

  it("another node's contradiction is not in the way", () => {
    const other = { ...edited({ nodeId: "other" }), ref: { recordId: "12", revision: 9 } };
    expect(refusal({ states: [edited(), other] })).toEqual([]);
  });
});

describe("who edited it (orchestration §11.1)", () => {
  const edits = new Map([["11", { code: "sato", name: "佐藤", at: "2026-09-01T23:59:00Z" }]]);
  const detailOf = (change: Partial<RealignFacts>): string => reconcile(facts(change))[0]?.detail ?? "";

  it("is told with the finding as kintone names it, and never as proof", () => {
    expect(detailOf({ edits })).toBe(
      "The state counts revision 4, kintone 6: it was changed by something else. kintone names 佐藤 (sato) as the last to change it, at 2026-09-01T23:59:00Z; that is no proof.",
    );
    expect(detailOf({})).toBe("The state counts revision 4, kintone 6: it was changed by something else.");
    expect(detailOf({ edits: new Map([["99", { code: "x", name: "x", at: null }]]) })).not.toContain("names");
  });

  it("stands in the audit as what was found, beside who answers for it (wire-format §1.5)", () => {
    const plan = planRealign(WISH, facts({ edits }));
    if (!plan.ok) throw new Error(plan.error.code);
    const { basis, next } = plan.value;
    const audit = realignAudit({
      ...WISH,
      eventId: "e1",
      runId: "netrun_1",
      nodeStateId: next.nodeStateId,
      revisionBefore: 4,
      revisionAfter: next.revision,
      kintoneRevision: 6,
      basis,
      occurredAt: AT,
    });
    expect(audit).toMatchObject({ runId: "netrun_1", resultCode: "REVISION_SERIES_REALIGNED" });
    expect(JSON.stringify(audit.event)).toBe(
      `{"event_id":"e1","event_type":"RECONCILIATION_REPAIR","repair_type":"REVISION_SERIES_REALIGNED","run_id":"netrun_1","target_type":"NODE_STATE","target_id":"STATE:1","before":{"revision":4,"kintone_revision":6},"after":{"revision":7},"basis":${JSON.stringify(basis)},"occurred_at":"${AT}","node_id":"load","reason":"the remark was corrected by hand","evidence_ref":"INC-1","confirmed_by":"ops2","requested_by":"ops1","service_principal":"svc"}`,
    );
    expect(basis).toContain("佐藤 (sato)");
  });
});

describe("the plan of realign-node (orchestration §11.1, operator-ux D13)", () => {
  const plan = (
    lock: NetworkLock | null,
    change: Partial<RealignFacts> = {},
    wish: Partial<RealignWish> = {},
  ) =>
    planRealignOperation({
      ...facts(change),
      lock,
      wish: { ...WISH, ...wish },
      now: Date.parse(AT),
      readAt: AT,
    });

  it("shows the one value that changes, the audit, and that the edit stays", () => {
    const { available, danger, writes, consequences, seen } = plan(null);
    expect([available, danger]).toEqual([true, "L3"]);
    expect(writes.map(({ action, record }) => `${action} ${record}`)).toEqual([
      "insert lock",
      "insert audit",
      "update nodeState",
    ]);
    expect(writes[2]?.changes).toEqual([{ field: "revision", from: 4, to: 7 }]);
    expect(consequences).toContainEqual({
      name: "handEditStays",
      params: { status: "FAILED", attempts: 1 },
    });
    expect(Object.keys(seen)).toEqual(["run", "node load", "attempt"]);
  });

  it("names a held lock before what the records say, and a blank field before both", () => {
    const sound = { states: [storedState({ status: "FAILED", activeAttemptId: null })] };
    const codes = (wish: Partial<RealignWish>) =>
      plan(storedLock(), sound, wish).refusals.map(({ code }) => code);
    expect(codes({})).toEqual(["LOCK_CONFLICT", "REVISION_NOT_INVERTED"]);
    expect(codes({ evidenceRef: "" })).toEqual(["AUDIT_INPUT_REQUIRED", "LOCK_CONFLICT"]);
  });
});
