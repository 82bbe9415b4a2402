import { describe, expect, it } from "vitest";
import { planText } from "../../../../main/cli/commands/plan.ts";
import { findingText, problemOf, problemText } from "../../../../main/cli/problem-text.ts";
import { firstLine, nodesText } from "../../../../main/cli/render-nodes.ts";
import { rejected, runExitCode, runJson, runText } from "../../../../main/cli/render-run.ts";
import { statusJson, statusText } from "../../../../main/cli/render-status.ts";
import type {
  NodeEnd,
  RunNetworkResult,
  RunReport,
  StatusReport,
} from "../../../../main/orchestrator/index.ts";
import { FlowError } from "../../../../shared/domain/problem.ts";

const ended: RunNetworkResult = {
  outcome: "NEW",
  runId: "netrun_1",
  invocationId: "invoke_1",
  aggregateStatus: "FAILED",
  invocationResultCode: "NODE_FAILED_OR_BLOCKED",
  retryBrakeNodeIds: [],
  blockedRunIds: [],
  problem: null,
  networkId: "net",
  nodes: [],
};

describe("run-network's answers (orchestration sections 9.1 and 9.2)", () => {
  it("are one line of JSON with the peer's keys in the peer's order", () => {
    expect(runJson(ended)).toBe(
      '{"outcome":"NEW","run_id":"netrun_1","invocation_id":"invoke_1","aggregate_status":"FAILED","invocation_result_code":"NODE_FAILED_OR_BLOCKED","retry_brake_node_ids":[],"blocked_run_ids":[]}\n',
    );
  });

  it("are one sentence for people", () => {
    expect(runText(ended)).toBe(
      "NEW: Run netrun_1 finished with aggregate FAILED (NODE_FAILED_OR_BLOCKED).\n",
    );
    expect(runText({ ...ended, outcome: "NOOP" })).toBe(
      "NO-OP: Run netrun_1 is already SUCCESS; nothing was executed.\n",
    );
    expect(runText(rejected("LOCK_CONFLICT"))).toBeNull();
  });

  it.each([
    ["NEW ended in SUCCESS", { ...ended, aggregateStatus: "SUCCESS" as const }, 0],
    ["NOOP", { ...ended, outcome: "NOOP" as const, aggregateStatus: "SUCCESS" as const }, 0],
    ["FAILED", ended, 1],
    ["deferred", { ...ended, aggregateStatus: "RUNNING" as const }, 1],
    ["refused", rejected("MAX_ACTIVE_RUNS"), 1],
  ])("exit with 0 only for SUCCESS and NOOP: %s", (_, result, code) => {
    expect(runExitCode(result)).toBe(code);
  });
});

describe("what stderr says of a Run that did not succeed", () => {
  const see = "  see: flownet status net --run-id netrun_1\n";
  const node = (nodeId: string, message: string | null = null): NodeEnd => ({
    nodeId,
    status: "FAILED",
    code: "SQL_ERROR",
    message,
  });

  it("names each node with code and message, counts the blocked, and says where to look", () => {
    const nodes: readonly NodeEnd[] = [
      node("a", "ASSERT failed:\nexpected 3"),
      { nodeId: "b", status: "UNKNOWN", code: "NO_EXECUTION_RESULT", message: null },
      { nodeId: "c", status: "WAITING", code: null, message: null },
      { nodeId: "d", status: "BLOCKED", code: "ALL_SUCCESS_NOT_SATISFIED", message: null },
    ];
    expect(nodesText({ ...ended, nodes })).toBe(
      `Node a FAILED [SQL_ERROR]: ASSERT failed:\nNode b UNKNOWN [NO_EXECUTION_RESULT]\nNode c WAITING\n1 node(s) BLOCKED behind them\n${see}`,
    );
  });

  it("is bounded in nodes", () => {
    const nodes = Array.from({ length: 25 }, (_, index) => node(`n${index}`));
    const lines = nodesText({ ...ended, nodes }).split("\n");
    expect(lines.filter((line) => line.startsWith("Node "))).toHaveLength(20);
    expect(lines).toContain("… and 5 more");
  });

  it("says nothing when no Run was left", () => {
    expect(nodesText(rejected("LOCK_CONFLICT"))).toBe("");
  });

  it.each([
    ["\n  first\nsecond", "first"],
    ["\u001b[31mred\u0007", "\\u{1b}[31mred\\u{7}"],
    ["a\u202eb\u200bc", "a\\u{202e}b\\u{200b}c"],
    ["one\u2028two", "one"],
    ["あ".repeat(301), `${"あ".repeat(300)}…`],
    ["\ud800", "\\u{d800}"],
    ["", ""],
  ])("shows a foreign text as one harmless line: %j", (text, shown) => {
    expect(firstLine(text)).toBe(shown);
  });
});

describe("errors (decisions section 1)", () => {
  it("print the peer's line first, then place and remedy", () => {
    const details = { file: "/d/network.yaml", line: 3, column: 5 };
    const problem = {
      code: "SCHEMA_INVALID",
      message: "must be a number",
      place: "$/nodes",
      remedy: "Fix it.",
      details,
    };
    expect(problemText(problem)).toBe(
      "Error [SCHEMA_INVALID]: must be a number\n  at: /d/network.yaml:3:5 $/nodes\n  do: Fix it.\n",
    );
    expect(findingText(problem)).toBe(
      "- [SCHEMA_INVALID] $/nodes: must be a number\n  at: /d/network.yaml:3:5\n  do: Fix it.\n",
    );
  });

  it.each([
    ["$.nodes/0", "\n  do: Correct the definition at this place.\n"],
    ["--scheduled-for", "no remedy of ours\n"],
    ["/d/network.yaml", "no remedy of ours\n"],
  ])("send nobody into the definition for what stands elsewhere: %s", (place, end) => {
    expect(findingText({ code: "C", message: "no remedy of ours", place }).endsWith(end)).toBe(true);
  });

  it("show what a terminal would obey as its code point", () => {
    const text = problemText({ code: "C", message: "a\u001b[2Jb", place: "x\u202ey", remedy: "r" });
    expect(text).toBe("Error [C]: a\\u{1b}[2Jb\n  at: x\\u{202e}y\n  do: r\n");
  });

  it("take the error's own code, and the command's where it has none", () => {
    expect(problemOf(new FlowError({ code: "A", message: "a" }), "B").code).toBe("A");
    expect(problemOf(Object.assign(new Error("no file"), { code: "ENOENT" }), "B").code).toBe("ENOENT");
    expect(problemOf(new Error("boom"), "STATUS_FAILED")).toEqual({ code: "STATUS_FAILED", message: "boom" });
  });
});

describe("plan's text (orchestration section 9.1)", () => {
  it("numbers the nodes and writes a dash for none", () => {
    const nodes = [
      { order: 1, id: "a", jobId: "ja", idempotent: true, dependsOn: [] },
      { order: 2, id: "b", jobId: "jb", idempotent: false, dependsOn: ["a", "c"] },
    ];
    expect(planText({ networkId: "n", businessKey: "n@2026-09", nodes })).toBe(
      "Business key: n@2026-09\nExecution plan:\n1. a | job_id=ja | idempotent=true | depends_on=-\n2. b | job_id=jb | idempotent=false | depends_on=a, c\n",
    );
  });
});

describe("status (orchestration section 9.2)", () => {
  const run: RunReport = {
    runId: "netrun_1",
    businessKey: "n@2026-09",
    status: "SUCCESS",
    resumeAllowed: true,
    lifecycle: "ACTIVE",
    createdAt: "2026-09-01T00:00:00Z",
    startedAt: "2026-09-01T00:00:00Z",
    finishedAt: null,
    updatedAt: "2026-09-01T00:01:00Z",
    hold: null,
    activity: null,
    live: false,
    stop: null,
    detail: null,
  };
  const report: StatusReport = { networkId: "n", profile: "p", lock: null, runs: [run], unreadable: [] };

  it("is indented by 2 and leaves out an activity there is none of", () => {
    const text = statusJson(report);
    expect(text).toContain('\n  "network_id": "n"');
    expect(JSON.parse(text)).toEqual({
      network_id: "n",
      profile: "p",
      lock: null,
      runs: [
        {
          run_id: "netrun_1",
          business_key: "n@2026-09",
          status: "SUCCESS",
          resume_allowed: true,
          lifecycle_status: "ACTIVE",
          created_at: "2026-09-01T00:00:00Z",
          started_at: "2026-09-01T00:00:00Z",
          finished_at: null,
          updated_at: "2026-09-01T00:01:00Z",
          hold: null,
        },
      ],
    });
  });

  it("renders one Run's nodes, findings and recovery identifiers", () => {
    const detailed: RunReport = {
      ...run,
      activity: "IDLE",
      detail: {
        invocations: [{ invocationId: "invoke_1", mode: "NEW", status: "FAILED", resultCode: "X" }],
        nodeStates: [
          {
            nodeId: "a",
            status: "FAILED",
            statusReason: "ASSERT_FAILED",
            idempotent: false,
            latestAttemptNo: 1,
            activeAttemptId: null,
            latestAttempt: {
              attemptId: "attempt_1",
              attemptNo: 1,
              status: "FAILED",
              resultCode: "ASSERT_FAILED",
            },
            activeAttempt: null,
          },
        ],
        inconsistencies: [
          { code: "C", nodeId: "a", detail: "d", attemptIds: ["attempt_1"], severity: "blocking" },
        ],
        recovery: {
          resolveNode: [{ runId: "netrun_1", nodeId: "a" }],
          forceUnlockNetwork: null,
          runNetwork: { resumeRun: "netrun_1" },
        },
      },
    };
    const [wire] = JSON.parse(statusJson({ ...report, runs: [detailed] })).runs;
    expect(wire).toMatchObject({
      activity: "IDLE",
      node_states: [{ node_id: "a", latest_attempt: { node_attempt_id: "attempt_1" }, active_attempt: null }],
      reconciliation: { inconsistencies: [{ code: "C", detail: "d" }] },
      recovery_identifiers: {
        resolve_node: [{ run_id: "netrun_1", node_id: "a" }],
        run_network: { resume_run: "netrun_1" },
      },
    });
    const text = statusText({ ...report, runs: [detailed] });
    expect(text).toContain("  a | FAILED (ASSERT_FAILED) | attempts 1\n");
    expect(text).toContain("  ! C a: d Attempts: attempt_1. (a resume stops at it)\n");
  });

  it.each<[string, Partial<RunReport>, string]>([
    ["stopping", { activity: "STOPPED", stop: "stopping", live: true }, "RUNNING (unfinished), STOPPING: "],
    ["stopped", { activity: "STOPPED", stop: "stopped" }, "RUNNING (unfinished), STOPPED |"],
    ["interrupted", { activity: "INTERRUPTED" }, "RUNNING (unfinished), INTERRUPTED |"],
  ])("tells %s apart, and never a stored RUNNING for work that is done (W-30)", (_, change, expected) => {
    const text = statusText({ ...report, runs: [{ ...run, status: "RUNNING", ...change }] });
    expect(text).toContain(expected);
  });

  it("shows a lock that stayed behind without any Run, with what to do (W-26)", () => {
    const lock = {
      recordId: "1",
      ownerInvocationId: "invoke_1",
      ownerInstanceId: "local-pid://h/1",
      heartbeatAt: "2026-09-01T00:00:00Z",
      leaseExpiresAt: "2026-09-01T00:03:00Z",
      staleCandidate: true,
      revision: 2,
    };
    const text = statusText({ ...report, lock, runs: [] });
    expect(text).toContain("stale candidate");
    expect(text).toContain("force-unlock-network n --profile p --expected-owner-invocation-id invoke_1");
    expect(statusText({ ...report, lock: { ...lock, staleCandidate: false } })).not.toContain("force-unlock");
    const json = statusJson({ ...report, lock: { ...lock, ownerInstanceId: null } });
    expect(JSON.parse(json).lock).toMatchObject({ owner_invocation_id: "invoke_1", owner_instance_id: "" });
  });
});
