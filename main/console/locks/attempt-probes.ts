import type { Probe, ProbeState } from "../../../shared/api/index.ts";
import type { Attempt } from "../../../shared/domain/model.ts";
import { errorText, FlowError } from "../../../shared/domain/problem.ts";
import type { FlowReads, JobLogLookup } from "../../store/index.ts";
import type { LockEvidence } from "./evidence.ts";

/** An attempt the lock's owner left open. */
export type OpenAttempt = Pick<Attempt, "attemptId" | "nodeId">;

interface Finding {
  readonly nodeId: string;
  readonly state: ProbeState;
  readonly said: string | null;
}

/** The state worth saying first where attempts differ: what leaves most in doubt. */
const WEIGHT: readonly ProbeState[] = [
  "unreadable",
  "running",
  "held",
  "none",
  "present",
  "terminal",
  "free",
];
/** What speaks for an attempt that does not go on. */
const SETTLED: ReadonlySet<ProbeState> = new Set(["terminal", "present", "free"]);

function probeOf(probe: Probe["probe"], findings: readonly Finding[], at: string): Probe {
  const states = findings.map(({ state }) => state);
  const state = WEIGHT.find((each) => states.includes(each)) ?? null;
  const settled = states.every((each) => SETTLED.has(each));
  const seen = findings.map(({ nodeId, said }) => (said === null ? nodeId : `${nodeId} ${said}`)).join(", ");
  return { probe, result: settled ? "ended" : "cannotTell", state, at, seen };
}

/**
 * What the JOB log says of the open attempts, and whether they still hold the lock of their job: the record of a
 * running job is its lock (execution-contract §7.2), so both come from one reading. Never rejects.
 */
export async function jobLogProbes(
  attempts: readonly OpenAttempt[],
  reads: Pick<FlowReads, "findJobLog">,
  at: string,
  signal?: AbortSignal,
): Promise<readonly Probe[]> {
  const read = await Promise.all(
    attempts.map(async ({ attemptId, nodeId }) => ({
      nodeId,
      lookup: await lookUp(attemptId, reads, signal),
    })),
  );
  return [
    probeOf(
      "jobLog",
      read.map(({ nodeId, lookup }) => ({ nodeId, ...logState(lookup) })),
      at,
    ),
    probeOf(
      "jobLock",
      read.map(({ nodeId, lookup }) => ({ nodeId, ...lockState(lookup) })),
      at,
    ),
  ];
}

async function lookUp(
  attemptId: string,
  reads: Pick<FlowReads, "findJobLog">,
  signal?: AbortSignal,
): Promise<JobLogLookup> {
  try {
    return await reads.findJobLog(attemptId, signal);
  } catch (error) {
    const code = error instanceof FlowError ? error.code : "JOB_LOG_UNREADABLE";
    return { kind: "unreadable", problem: { code, message: errorText(error) } };
  }
}

function logState(lookup: JobLogLookup): Omit<Finding, "nodeId"> {
  switch (lookup.kind) {
    case "none":
      return { state: "none", said: null };
    case "found": {
      const { status } = lookup.log;
      return { state: status.toUpperCase() === "RUNNING" ? "running" : "terminal", said: status };
    }
    case "ambiguous":
      return { state: "unreadable", said: `×${lookup.count}` };
    case "unreadable":
      return { state: "unreadable", said: lookup.problem.code };
  }
}

function lockState(lookup: JobLogLookup): Omit<Finding, "nodeId"> {
  if (lookup.kind === "none") return { state: "free", said: null };
  if (lookup.kind !== "found") return { state: "unreadable", said: null };
  const { jobKey } = lookup.log;
  return jobKey === null || jobKey === "" ? { state: "free", said: null } : { state: "held", said: jobKey };
}

/** Whether a child got as far as writing its result (execution-contract §5.6); it lies on the host it ran on. */
export async function resultFileProbe(
  attempts: readonly OpenAttempt[],
  { resultOf }: Pick<LockEvidence, "resultOf">,
  at: string,
): Promise<Probe> {
  const findings = await Promise.all(
    attempts.map(async ({ attemptId, nodeId }): Promise<Finding> => {
      const reading = await resultOf(attemptId);
      if (reading.kind === "absent") return { nodeId, state: "none", said: null };
      if (reading.kind !== "valid") return { nodeId, state: "unreadable", said: null };
      return { nodeId, state: "present", said: reading.result.status };
    }),
  );
  return probeOf("resultFile", findings, at);
}
