import { describe, expect, it } from "vitest";
import { attemptLimitMs, LIMIT_MARGIN_MS } from "../../../main/attempt/time-limit.ts";
import {
  orphanVerdict,
  parseOwnerInstance,
  parseRequest,
  reconcile,
  validateNetwork,
} from "../../../shared/domain/index.ts";
import { runActivity } from "../../../shared/domain/lease.ts";
import type { Attempt } from "../../../shared/domain/model.ts";
import { profileDifferences } from "../../../shared/domain/profile-difference.ts";
import { holdEnd } from "../../../shared/domain/request-end.ts";
import { resolveConsequences } from "../../../shared/domain/resolve-node.ts";
import { attemptErrorText } from "../../../shared/records/io-audit.ts";
import { storedRun, storedState } from "../../support/entities.ts";

/** Each naive rule is the peer's (orchestration section 11.1): it meets its accident here, and ours does not. */

const AT = "2026-09-01T00:00:42.123Z";

function attempt(over: Partial<Attempt> = {}): Attempt {
  return {
    attemptId: "attempt_1",
    runId: storedRun().runId,
    nodeId: "a",
    jobId: "job_a",
    invocationId: "invoke_1",
    attemptNo: 1,
    stateRevisionBefore: 0,
    status: "RUNNING",
    resultCode: "PENDING",
    executionStartedAt: AT,
    runnerExecutionStartedAt: null,
    finishedAt: null,
    executionId: null,
    durationSec: null,
    readCount: 0,
    writtenCount: 0,
    lastSuccessfulChunkNo: null,
    lastWrittenKey: null,
    errorMessage: null,
    ...over,
  };
}
const running = storedState("a", "RUNNING", { activeAttemptId: "attempt_1", latestAttemptNo: 1 });

describe("uncertainty the peer makes itself", () => {
  const clean = { owned: true, spawned: false, alive: false } as const;
  it("W-03: the JOB log alone calls a living child UNKNOWN; the process table keeps the question open", () => {
    const jobLog = { kind: "found", status: "RUNNING" } as const;
    const logAlone = orphanVerdict({ executionStartedAt: AT, jobLog, local: null });
    const both = orphanVerdict({
      executionStartedAt: AT,
      jobLog,
      local: { ...clean, spawned: true, alive: true },
    });
    expect(logAlone).toMatchObject({ nodeStatus: "UNKNOWN" });
    expect(both).toMatchObject({ kind: "child-running" });
  });

  it("W-04: no JOB log means UNKNOWN to the peer; without a start marker nothing can have run", () => {
    const none = { jobLog: { kind: "none" }, local: null } as const;
    expect(orphanVerdict({ ...none, executionStartedAt: AT })).toMatchObject({ nodeStatus: "UNKNOWN" });
    expect(orphanVerdict({ ...none, executionStartedAt: null })).toMatchObject({
      nodeStatus: "WAITING",
      resultCode: "PREPARE_FAILED",
    });
  });

  it("W-09: a reset over an orphan leaves two running Attempts of one node, which nothing repairs", () => {
    const states = [{ ...running, latestAttemptNo: 2, activeAttemptId: "attempt_2" }];
    const attempts = [attempt(), attempt({ attemptId: "attempt_2", attemptNo: 2 })];
    const found = reconcile({
      run: storedRun({ status: "RUNNING", startedAt: AT }),
      states,
      attempts,
      resolutions: [],
    });
    expect(found).toMatchObject([
      { code: "MULTIPLE_RUNNING_ATTEMPTS", severity: "blocking", peerBlocks: true },
    ]);
  });

  it("W-25: a parent with its child's own limit may end it first; with a margin the child always tells its end", () => {
    const childMs = 3_600_000;
    expect(attemptLimitMs(3_600, 0)).toBe(childMs);
    expect(attemptLimitMs(3_600, LIMIT_MARGIN_MS)).toBeGreaterThan(childMs);
  });
});

describe("what the peer shows and tells", () => {
  it("W-07: a Run that died behind its creation has no word in the peer's list, and one in ours", () => {
    const run = storedRun({ status: "CREATED" });
    const found = reconcile({
      run,
      states: [],
      attempts: [],
      resolutions: [],
      invocations: [],
      nodeIds: ["a"],
    });
    expect(found.filter(({ peerBlocks }) => peerBlocks)).toEqual([]);
    expect(found.map(({ code }) => code)).toContain("CREATION_INCOMPLETE");
  });

  it("W-08b: of a node that must not run twice, FAILED leaves CLOSE alone; it is said before", () => {
    expect(resolveConsequences("FAILED", { idempotent: false })).toMatchObject({ onlyCloseRemains: true });
    expect(resolveConsequences("SUCCESS", { idempotent: false })).toMatchObject({ onlyCloseRemains: false });
  });

  it("W-13: a bare host name can be asked for no process; every lock of ours names one", () => {
    expect(parseOwnerInstance("HOST-A")).toMatchObject({ kind: "other" });
    expect(parseOwnerInstance("local-pid://HOST-A/4321")).toMatchObject({ kind: "local-pid", pid: 4321 });
  });

  it("W-17b: the files of a failed node lie over its error; the JOB log still has it", () => {
    const audit = '{"version":1,"kind":"KSQL_FLOWNET_OUTPUT_AUDIT","output_files":[]}';
    expect(attemptErrorText(audit, "disk full")).toBe("disk full");
  });

  it("W-18: equal or not is all the peer asks of a profile; a limit is another matter than an app", () => {
    const stored = storedRun().profileSnapshot;
    const now = { ...stored, limits: { ...stored.limits, maxApiCalls: 9 } };
    expect(JSON.stringify(now) === JSON.stringify(stored)).toBe(false);
    expect(profileDifferences(stored, now)).toMatchObject([{ field: "limits.maxApiCalls", blocking: false }]);
  });

  it("W-29: any refusal of a STOP reads the same in the peer; ours keeps the code in the message", () => {
    const ended = holdEnd("stop", { code: "RUN_ALREADY_TERMINAL", message: "It has ended." });
    expect(ended).toMatchObject({
      code: "CANCEL_RUN_REJECTED",
      message: expect.stringContaining("RUN_ALREADY_TERMINAL"),
    });
  });

  it("W-30: STOPPED is the one word for a Run whose SQL still runs and for one that stands", () => {
    const lock = { ownerInvocationId: "invoke_1", leaseExpiresAt: AT };
    const facts = {
      status: "RUNNING",
      startedAt: AT,
      invocationIds: ["invoke_1"],
      hold: "REQUESTED",
    } as const;
    const [still, stands] = [lock, null].map((each) => runActivity({ ...facts, lock: each }, Date.parse(AT)));
    expect([still?.activity, stands?.activity]).toEqual(["STOPPED", "STOPPED"]);
    expect([still?.stop, stands?.stop]).toEqual(["stopping", "stopped"]);
  });
});

describe("what one bad thing stops", () => {
  const row = (over: Readonly<Record<string, unknown>>) => ({
    $id: "7",
    $revision: "2",
    作成者: { code: "user1", name: "User" },
    作成日時: "2026-09-04T01:00:00Z",
    request_type: "RERUN",
    run_id: "netrun_1",
    network_id: "",
    business_key: "",
    scheduled_for: "",
    rerun_from_node: "",
    reason: "やり直し",
    result_code: "",
    result_message: "",
    request_state: "ACCEPTED",
    cancel_requested: [],
    claimed_at: "2026-09-04T01:00:00Z",
    claimed_host: "h",
    claim_heartbeat_at: "2026-09-04T01:00:00Z",
    ...over,
  });
  it("W-10: one malformed claim ends a cycle that judges all of them at once; each by itself it harms nobody", () => {
    const rows = [row({ claim_heartbeat_at: "soon" }), row({ $id: "8" })];
    const naive = (): readonly string[] =>
      rows.map((each) => {
        const parsed = parseRequest(each);
        if (!parsed.valid) throw new Error("the cycle is over");
        return parsed.request.id;
      });
    expect(naive).toThrow("the cycle is over");
    expect(rows.map(parseRequest).filter(({ valid }) => valid)).toMatchObject([{ request: { id: "8" } }]);
  });

  const definition = (node: Readonly<Record<string, unknown>>) => ({
    schema_version: 1,
    network_id: "net",
    business_key_policy: { type: "explicit" },
    network_lock: { lease_duration_sec: 180, heartbeat_interval_sec: 60 },
    nodes: [
      {
        id: "a",
        job_id: "a",
        sql: "a.sql",
        depends_on: [],
        trigger_rule: "all_success",
        idempotent: true,
        ...node,
      },
    ],
  });
  const many = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`source_${at}`, `${at}.csv`]));
  it.each([
    ["W-12: a node id the bundle cannot hold", { id: "a..b", job_id: "a" }, "NODE_ID_NOT_BUNDLABLE"],
    ["W-33: more inputs than the record can sum up", { inputs: many }, "IO_AUDIT_TOO_LONG"],
  ])("%s passes the peer's check and fails behind its lock; ours tells it first", (_what, node, code) => {
    const codes = (peerRulesOnly: boolean) =>
      validateNetwork(definition(node), { peerRulesOnly }).errors.map((error) => error.code);
    expect([codes(true), codes(false)]).toEqual([[], [code]]);
  });
});
