import { describe, expect, it } from "vitest";
import { parseOperationPlan } from "../../../../../shared/contract/operation-plan.ts";
import type { ForcedReleaseWish } from "../../../../../shared/domain/forced-release.ts";
import type { Hold, Stored } from "../../../../../shared/domain/model.ts";
import {
  CONSEQUENCES,
  DANGER,
  type JobLockFacts,
  OPERATIONS,
  planCloseOperation,
  planCompleteAuditOperation,
  planForceUnlockOperation,
  planJobUnlockOperation,
  planReleaseOperation,
  planRequestCancelOperation,
  planRequestOperation,
  planResolveOperation,
  planStopOperation,
} from "../../../../../shared/domain/operations/index.ts";
import type { OperationRequest } from "../../../../../shared/domain/request.ts";
import type { ReviewedRun } from "../../../../../shared/domain/request-review.ts";
import type { ResolveWish } from "../../../../../shared/domain/resolve-node.ts";
import en from "../../../../../shared/text/operations.en.json" with { type: "json" };
import ja from "../../../../../shared/text/operations.ja.json" with { type: "json" };
import { aHold, storedLock } from "../run-records.ts";
import { AT, aRun, attempt, codes, consequences, NOW, state, writes } from "./facts.ts";

const held = (change: Partial<Hold> = {}): Stored<Hold> => ({
  ...aHold({ runId: aRun().runId, ...change }),
  ref: { recordId: "5", revision: 2 },
});
const wish = { runId: aRun().runId, requestedBy: "ops1", reason: "month end", at: AT };
const hold = (change: object = {}) => ({
  run: aRun({ status: "RUNNING" }),
  hold: null,
  states: [],
  wish,
  readAt: AT,
  ...change,
});

describe("the plan of STOP and RELEASE (orchestration §4.7)", () => {
  it("names the node that will finish all the same, and the one record it writes", () => {
    const plan = planStopOperation(hold({ states: [state("load", "RUNNING")] }));
    expect(writes(plan)).toEqual([`insert hold ${wish.runId} REQUESTED`]);
    expect(plan.consequences).toContainEqual({ name: "runningNodesFinish", params: { nodes: "load" } });
  });

  it.each([
    ["an ended Run", { run: aRun() }, ["RUN_ALREADY_TERMINAL"], []],
    ["a held Run", { hold: held() }, [], []],
    [
      "a released hold",
      { hold: held({ state: "RELEASED" }) },
      [],
      [`update hold ${wish.runId} RELEASED->REQUESTED`],
    ],
  ])("STOP of %s", (_, change, refused, written) => {
    const plan = planStopOperation(hold(change));
    expect([codes(plan), writes(plan)]).toEqual([refused, written]);
  });

  it("a new hold says that it clears the traces of the earlier one (W-19)", () => {
    const plan = planStopOperation(hold({ hold: held({ state: "RELEASED", requestedBy: "sato" }) }));
    expect(plan.consequences).toContainEqual({ name: "earlierHoldCleared", params: { by: "sato" } });
  });

  it("RELEASE starts nothing and warns that a schedule may", () => {
    const plan = planReleaseOperation(hold({ hold: held() }));
    expect(consequences(plan)).toEqual(["startsNothing", "scheduleMayResume"]);
    expect(writes(plan)).toEqual([`update hold ${wish.runId} REQUESTED->RELEASED`]);
    expect(writes(planReleaseOperation(hold()))).toEqual([]);
  });
});

describe("the plan of a CLOSE (orchestration §4.8)", () => {
  const close = (change: object = {}) =>
    planCloseOperation({
      run: aRun(),
      hold: null,
      lock: null,
      requestedBy: "ops1",
      reason: "r",
      readAt: AT,
      now: NOW,
      ...change,
    });

  it("archives the Run with its audit, for good", () => {
    const plan = close();
    expect(writes(plan)).toEqual([
      "insert lock monthly_jobs RUNNING",
      `update run ${wish.runId} ACTIVE->ARCHIVED`,
      "insert audit new",
    ]);
    expect([plan.danger, consequences(plan)]).toEqual([
      "L4",
      ["cannotBeUndone", "neverResumedAgain", "keyStaysTaken"],
    ]);
  });

  it.each([
    ["SUCCESS", { run: aRun({ status: "SUCCESS" }) }, ["RUN_STATUS_NOT_CLOSABLE"]],
    ["UNKNOWN", { run: aRun({ status: "UNKNOWN" }) }, ["RUN_UNKNOWN_NOT_CLOSABLE"]],
    [
      "RUNNING under a lock",
      { run: aRun({ status: "RUNNING" }), lock: storedLock() },
      ["LOCK_CONFLICT", "RUN_NOT_TERMINAL"],
    ],
    ["held", { hold: held() }, ["RUN_ON_HOLD"]],
    ["closed before", { run: aRun({ lifecycle: "ARCHIVED" }) }, ["RUN_ALREADY_ARCHIVED"]],
  ])("is refused for a Run that is %s", (_, change, expected) => {
    expect(codes(close(change))).toEqual(expected);
  });

  it("a missing audit is completed for a closed Run only (decisions §3)", () => {
    const reported = {
      runId: wish.runId,
      eventId: "archive_1",
      previousStatus: "FAILED",
      runRevisionBefore: 8,
    } as const;
    const of = (change: object) =>
      codes(planCompleteAuditOperation({ run: aRun(change), reported, reason: "r", readAt: AT }));
    expect(of({})).toEqual(["RUN_NOT_ARCHIVED"]);
    expect(of({ lifecycle: "ARCHIVED", status: "CANCELLED" })).toEqual(["AUDIT_FACTS_MISMATCH"]);
    expect(of({ lifecycle: "ARCHIVED" })).toEqual([]);
    const absent = planCompleteAuditOperation({ run: null, reported, reason: "r", readAt: AT });
    expect([codes(absent), absent.subject.runId]).toEqual([["RUN_NOT_FOUND"], wish.runId]);
  });
});

const word: ResolveWish = {
  nodeId: "b",
  outcome: "SUCCESS",
  manualCompletion: true,
  compensation: false,
  reason: "seen",
  evidenceRef: "INC-1",
  stopConfirmedBy: "tanaka",
  stopEvidenceRef: "log",
  approvedBy: null,
  requestedBy: "ops1",
  servicePrincipal: "svc",
  resolvedAt: AT,
};
const resolve = (change: Partial<ResolveWish> = {}, more: object = {}) =>
  planResolveOperation({
    run: aRun({ status: "UNKNOWN" }),
    states: [state("a", "SUCCESS"), state("b", "UNKNOWN")],
    attempts: [attempt("b", { status: "UNKNOWN", resultCode: "NO_EXECUTION_RESULT" })],
    resolutions: [],
    lock: null,
    wish: { ...word, ...change },
    now: NOW,
    readAt: AT,
    ...more,
  });

describe("the plan of resolve-node (orchestration §5.4, W-05, W-08)", () => {
  it("writes the word, the node and the Run's new status in one request (W-21)", () => {
    const plan = resolve();
    expect(writes(plan)).toEqual([
      "insert lock monthly_jobs RUNNING",
      "insert resolution b-1",
      "update nodeState b UNKNOWN->SUCCESS",
      `update run ${wish.runId} UNKNOWN->SUCCESS`,
    ]);
    expect(consequences(plan)).toEqual(["choiceIsFinal", "runStatusAfter"]);
  });

  it("says before the choice what it closes off", () => {
    const failed = { outcome: "FAILED", manualCompletion: false } as const;
    expect(consequences(resolve(failed))).toEqual([
      "choiceIsFinal",
      "retriedByResume",
      "peerResumesOnceMore",
      "runStatusAfter",
    ]);
    const once = { states: [state("b", "UNKNOWN", { idempotent: false })] };
    expect(consequences(resolve(failed, once))).toContain("onlyCloseRemains");
    expect(resolve({ approvedBy: "sato" }, once).evidence).toContainEqual({
      field: "approvedBy",
      required: true,
    });
  });

  it.each<[string, Partial<ResolveWish>, object, readonly string[]]>([
    ["a blank reason", { reason: " " }, {}, ["AUDIT_INPUT_REQUIRED"]],
    ["a held lock", {}, { lock: storedLock() }, ["LOCK_CONFLICT"]],
    ["a node that is no question", { nodeId: "a" }, {}, ["NODE_NOT_RESOLVABLE"]],
    [
      "no second person",
      {},
      { states: [state("b", "UNKNOWN", { idempotent: false })] },
      ["DISTINCT_APPROVER_REQUIRED"],
    ],
  ])("is refused for %s", (_, change, more, expected) => {
    expect(codes(resolve(change, more))).toEqual(expected);
  });
});

const release: ForcedReleaseWish = {
  networkId: "monthly_jobs",
  profile: "prod",
  expectedOwnerInvocationId: "invoke_1",
  reason: "crashed",
  evidenceRef: "INC-1",
  stopConfirmedBy: "tanaka",
  stopEvidenceRef: "tasklist",
  stopMethod: "local_pid",
  servicePrincipal: "svc",
  requestedBy: "ops1",
  expectedPid: null,
};
const unlock = (change: Partial<ForcedReleaseWish> = {}, more: object = {}) =>
  planForceUnlockOperation({
    wish: { ...release, ...change },
    lock: storedLock(),
    stop: { owner: { kind: "gone" }, cloudRun: null },
    withoutAudit: false,
    now: NOW,
    readAt: AT,
    ...more,
  } as Parameters<typeof planForceUnlockOperation>[0]);

describe("the plan of a forced release (orchestration §3.5, operator-ux §2.3)", () => {
  it("turns the lock into a tombstone with its audit, and touches no Run", () => {
    const plan = unlock();
    expect(codes(plan)).toEqual([]);
    expect(writes(plan)).toEqual(["release lock monthly_jobs RUNNING->CANCELLED", "insert audit new"]);
    expect(consequences(plan)).toEqual(["cannotBeUndone", "recordsStayAsTheyAre"]);
    expect(plan.danger).toBe("L4");
  });

  it("says when it rests on a person's word alone, and when the audit is left out", () => {
    expect(consequences(unlock({ stopMethod: "manual" }, { withoutAudit: true }))).toEqual([
      "cannotBeUndone",
      "recordsStayAsTheyAre",
      "restsOnYourWord",
      "auditLeftOut",
    ]);
  });

  it.each<[string, Partial<ForcedReleaseWish>, object, readonly string[]]>([
    ["nobody holds it", {}, { lock: null }, ["LOCK_NOT_FOUND"]],
    ["another owner", { expectedOwnerInvocationId: "invoke_2" }, {}, ["OWNER_MISMATCH"]],
    ["a lease that stands", {}, { now: Date.parse("2026-09-01T00:05:00Z") }, ["LEASE_STILL_ACTIVE"]],
    [
      "a blank field and a living owner",
      { reason: "" },
      { stop: { owner: { kind: "alive" }, cloudRun: null } },
      ["INVALID_ARGUMENT", "STOP_NOT_CONFIRMED"],
    ],
  ])("is refused for %s", (_, change, more, expected) => {
    expect(codes(unlock(change, more))).toEqual(expected);
  });
});

const draft = (change: Partial<OperationRequest> = {}): OperationRequest => ({
  id: "7",
  revision: 1,
  creatorCode: "user1",
  createdAt: AT,
  type: "RERUN",
  runId: wish.runId,
  networkId: null,
  businessKey: null,
  scheduledFor: null,
  rerunFromNode: null,
  reason: "again",
  state: "REQUESTED",
  cancelRequested: false,
  claim: null,
  resultCode: null,
  resultMessage: null,
  ...change,
});
const reviewed: ReviewedRun = {
  networkId: "monthly_jobs",
  status: "FAILED",
  lifecycle: "ACTIVE",
  resumeAllowed: true,
  hold: null,
  activity: null,
  live: false,
};
const request = (
  change: Partial<OperationRequest>,
  run: Partial<ReviewedRun> = {},
  pending: readonly string[] = [],
) =>
  planRequestOperation({
    draft: draft(change),
    about: { kind: "run", lookup: { kind: "read", runs: [{ ...reviewed, ...run }] } },
    pending,
    seen: { run: aRun().ref },
    readAt: AT,
  });

describe("the plan of a request (orchestration §7.5, §11.3)", () => {
  it("is written for the poller, and warns of others about the same Run", () => {
    const plan = request({}, {}, ["12", "13"]);
    expect([plan.operation, writes(plan)]).toEqual(["REQUEST_RERUN", ["insert request new"]]);
    expect(plan.consequences).toContainEqual({ name: "othersMayWaitForIt", params: { requests: "12, 13" } });
  });

  it.each<[Partial<OperationRequest>, Partial<ReviewedRun>, readonly string[]]>([
    [{ type: "RERUN" }, { status: "SUCCESS" }, ["RUN_STATUS_NOT_RERUNNABLE"]],
    [{ type: "STOP" }, {}, ["RUN_TERMINAL"]],
    [{ type: "RELEASE" }, {}, ["RUN_NOT_ON_HOLD"]],
    [{ type: "CLOSE" }, { hold: "REQUESTED" }, ["RUN_ON_HOLD"]],
    [{ type: "CLOSE" }, {}, []],
  ])("%j of a Run with %j: refused for %j, as the poller would", (change, run, expected) => {
    expect(codes(request(change, run))).toEqual(expected);
  });

  it("a START is judged by the allow-list", () => {
    const about = { kind: "start", network: null } as const;
    const plan = planRequestOperation({
      draft: draft({ type: "START", runId: "", networkId: "n" }),
      about,
      pending: [],
      seen: {},
      readAt: AT,
    });
    expect([plan.operation, codes(plan)]).toEqual(["REQUEST_START", ["NETWORK_NOT_ALLOWED"]]);
  });

  it.each<[Partial<OperationRequest>, readonly string[]]>([
    [{}, []],
    [{ cancelRequested: true }, ["CANCEL_ALREADY_REQUESTED"]],
    [{ state: "ACCEPTED" }, ["REQUEST_CLAIMED"]],
    [{ state: "DONE" }, ["REQUEST_ENDED"]],
  ])("a request with %j is taken back only before it is claimed: %j", (change, expected) => {
    expect(codes(planRequestCancelOperation({ request: draft(change), readAt: AT }))).toEqual(expected);
  });
});

describe("the plan of a job lock's release (execution-contract §2.5)", () => {
  const record = { recordId: "3", batchId: "b1", startedAt: AT, host: "h" };
  const facts: JobLockFacts = {
    jobKey: "prod:load",
    locked: true,
    record,
    runId: "netrun_1",
    nodeId: "load",
    readAt: AT,
  };
  it.each<[Partial<JobLockFacts>, readonly string[]]>([
    [{}, []],
    [{ locked: false, record: null }, ["JOB_LOCK_FREE"]],
    [{ locked: null, record: null }, ["JOB_LOCK_UNKNOWN"]],
  ])("%j: %j", (change, expected) => {
    expect(codes(planJobUnlockOperation({ ...facts, ...change }))).toEqual(expected);
  });
  it("records it in the Run it belongs to, if any", () => {
    expect(writes(planJobUnlockOperation(facts))).toEqual(["release jobLock prod:load", "insert audit new"]);
    expect(writes(planJobUnlockOperation({ ...facts, runId: null }))).toHaveLength(1);
  });
});

describe("a plan as a file (architecture §4)", () => {
  it("is read back as it was written", () => {
    const plan = resolve();
    expect(parseOperationPlan(JSON.parse(JSON.stringify(plan)))).toEqual({ ok: true, value: plan });
  });

  it.each<[string, object]>([
    ["another kind", { kind: "OTHER" }],
    ["a later format", { formatVersion: 2 }],
    ["records that its fingerprint does not know", { seen: { run: { recordId: "1", revision: 1 } } }],
  ])("is refused with %s", (_, change) => {
    expect(parseOperationPlan({ ...resolve(), ...change })).toMatchObject({
      error: { code: "OPERATION_PLAN_INVALID" },
    });
  });

  it("every operation has its danger, every consequence its words in both languages (operator-ux §2.1)", () => {
    expect(OPERATIONS.filter((operation) => !(operation in DANGER))).toEqual([]);
    for (const texts of [ja, en])
      expect(Object.keys(texts.consequence).sort()).toEqual([...CONSEQUENCES].sort());
  });
});
