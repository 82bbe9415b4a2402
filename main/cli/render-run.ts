import type { RunNetworkResult } from "../orchestrator/index.ts";

/** The one line of `run-network --json`, keys in the order of orchestration section 9.2. */
export function runJson(result: RunNetworkResult): string {
  return `${JSON.stringify({
    outcome: result.outcome,
    run_id: result.runId,
    invocation_id: result.invocationId,
    aggregate_status: result.aggregateStatus,
    invocation_result_code: result.invocationResultCode,
    retry_brake_node_ids: result.retryBrakeNodeIds,
    blocked_run_ids: result.blockedRunIds,
  })}\n`;
}

/** A refusal before anything was done, in the same shape. */
export function rejected(code: string): RunNetworkResult {
  return {
    outcome: "REJECTED",
    runId: null,
    invocationId: null,
    aggregateStatus: null,
    invocationResultCode: code,
    retryBrakeNodeIds: [],
    blockedRunIds: [],
    problem: null,
    networkId: null,
    nodes: [],
  };
}

/** The text form for people; null when the problem on stderr says it all. */
export function runText(result: RunNetworkResult): string | null {
  if (result.outcome === "NOOP") {
    return `NO-OP: Run ${result.runId ?? "-"} is already SUCCESS; nothing was executed.\n`;
  }
  if (result.outcome === "REJECTED") return null;
  const aggregate = result.aggregateStatus ?? "unknown to this process";
  return `${result.outcome}: Run ${result.runId ?? "-"} finished with aggregate ${aggregate} (${result.invocationResultCode}).\n`;
}

/** 0 when the Run is SUCCESS, by now or before (orchestration section 9.1). */
export function runExitCode(result: RunNetworkResult): number {
  return result.outcome === "NOOP" || result.aggregateStatus === "SUCCESS" ? 0 : 1;
}
