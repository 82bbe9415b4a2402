import type { Attempt, Invocation } from "../../../shared/domain/model.ts";
import { errorText, FlowError } from "../../../shared/domain/problem.ts";
import type { UnknownFacts } from "../../../shared/domain/unknown-evidence.ts";
import { decodeIoAudit, type IoAudit } from "../../../shared/records/index.ts";
import type { AttemptEvidence, ResultReading } from "../../attempt/index.ts";
import type { AttemptSearch, Liveness, ProcessIdentity } from "../../process/index.ts";
import type { JobLogLookup } from "../../store/index.ts";
import type { UnknownDeps } from "./ports.ts";

/** Everything that was read of one attempt, before it is told. */
export interface AttemptReading {
  readonly attempt: Attempt;
  /** Null when the Invocation's record is missing. */
  readonly invocation: Pick<Invocation, "invocationId" | "host" | "requestedBy"> | null;
  readonly jobLog: JobLogLookup;
  readonly journal: AttemptEvidence | { readonly problem: string };
  readonly result: ResultReading | null;
  readonly child: ChildReading;
  readonly inputs: readonly { readonly source: string; readonly sha256: string }[];
  /** ISO-8601 UTC. */
  readonly readAt: string;
}

export interface ChildReading {
  readonly kind: UnknownFacts["child"]["kind"];
  /** The process as the journal names it, or those that carry the attempt's id. */
  readonly processes: readonly ProcessIdentity[];
  /** Why nothing, or not everything, can be told. */
  readonly reason: string | null;
}

/** Reads what the records, the JOB log, this host's journal and its processes say of an attempt. Never rejects for one of them. */
export async function readAttempt(
  deps: UnknownDeps,
  attempt: Attempt,
  invocation: AttemptReading["invocation"],
  signal?: AbortSignal,
): Promise<AttemptReading> {
  const { attemptId } = attempt;
  const here = invocation === null || invocation.host === deps.host;
  const [jobLog, journal] = await Promise.all([
    lookUp(deps, attemptId, signal),
    deps.attemptEvidence(attemptId).catch((cause: unknown) => ({ problem: errorText(cause) })),
  ]);
  const known = "problem" in journal ? null : journal;
  const ranHere = here || known?.thisHostAndBoot === true;
  return {
    attempt,
    invocation,
    jobLog,
    journal,
    result: ranHere ? await deps.hostEvidence.resultOf(attemptId) : null,
    child: ranHere ? childOf(deps, attemptId, known) : { kind: "elsewhere", processes: [], reason: null },
    inputs: inputsOf(attempt.errorMessage),
    readAt: new Date(deps.nowMs()).toISOString(),
  };
}

/** The JOB log of an attempt; one that cannot be read is said so. Never rejects. */
export async function lookUp(
  { reads }: { readonly reads: Pick<UnknownDeps["reads"], "findJobLog"> },
  attemptId: string,
  signal: AbortSignal | undefined,
): Promise<JobLogLookup> {
  try {
    return await reads.findJobLog(attemptId, signal);
  } catch (cause) {
    const code = cause instanceof FlowError ? cause.code : "JOB_LOG_UNREADABLE";
    return { kind: "unreadable", problem: { code, message: errorText(cause) } };
  }
}

/**
 * Whether the child lives, measured now: the process of the journal by PID, creation time and image, and every process
 * that carries the attempt's id, which also finds what the child itself started (decisions §3).
 */
function childOf(
  { hostEvidence }: UnknownDeps,
  attemptId: string,
  journal: AttemptEvidence | null,
): ChildReading {
  const search = hostEvidence.inspector.searchByAttemptId(attemptId);
  if (search.found.length > 0) return { kind: "alive", processes: search.found, reason: null };
  const spawned = journal?.spawned?.process ?? null;
  if (journal?.intent != null && !journal.thisHostAndBoot) {
    const { bootId } = hostEvidence.hostFacts;
    const before = bootId !== null && journal.intent.bootId !== null && journal.intent.bootId !== bootId;
    // Nothing that ran before this boot runs now.
    if (before) return { kind: "gone", processes: spawned === null ? [] : [spawned], reason: null };
  }
  if (spawned !== null && journal?.thisHostAndBoot === true) {
    return byIdentity(hostEvidence.inspector.liveness(spawned), spawned, search);
  }
  if (search.inconclusive !== null) {
    return { kind: "cannotTell", processes: [], reason: search.inconclusive };
  }
  return { kind: journal?.thisHostAndBoot === true ? "never" : "gone", processes: [], reason: null };
}

function byIdentity(liveness: Liveness, spawned: ProcessIdentity, search: AttemptSearch): ChildReading {
  const processes = [spawned];
  switch (liveness.kind) {
    case "alive-ours":
      return { kind: "alive", processes, reason: null };
    case "alive-another":
      return { kind: "replaced", processes, reason: search.inconclusive };
    case "gone":
      return { kind: "gone", processes, reason: search.inconclusive };
    case "cannot-tell":
      return { kind: "cannotTell", processes, reason: liveness.reason };
  }
}

function inputsOf(errorMessage: string | null): AttemptReading["inputs"] {
  const audit = decodeIoAudit(errorMessage ?? "");
  return audit.ok && audit.value !== null ? baselineOf(audit.value) : [];
}

function baselineOf(audit: IoAudit): AttemptReading["inputs"] {
  if (audit.kind === "KSQL_FLOWNET_INPUT_BASELINE") return audit.inputs;
  return audit.kind === "KSQL_FLOWNET_OUTPUT_AUDIT" ? [] : audit.baseline;
}

/** The facts of a reading, as the rules judge them. Pure. */
export function factsOf(reading: AttemptReading): UnknownFacts {
  const { attempt, jobLog, journal, child, inputs } = reading;
  return {
    attempt,
    resultFile: resultFacts(reading),
    jobLog:
      jobLog.kind === "found"
        ? {
            kind: "found",
            status: jobLog.log.status,
            sqlStartedAt: jobLog.log.runnerExecutionStartedAt,
            lastWrittenKey: jobLog.log.lastWrittenKey,
            writtenCount: jobLog.log.writtenCount,
          }
        : { kind: jobLog.kind },
    child: { kind: child.kind },
    journal: journalFacts(journal),
    inputs: inputs.length,
  };
}

function journalFacts(journal: AttemptReading["journal"]): UnknownFacts["journal"] {
  if ("problem" in journal) return { kind: "unreadable" };
  const { intent, spawned, exited } = journal;
  if (intent === null && spawned === null && exited === null) return { kind: "none" };
  return {
    kind: "known",
    thisHostAndBoot: journal.thisHostAndBoot,
    spawned: spawned !== null,
    exited: exited !== null,
    exitKnown: exited !== null && (exited.exitCode !== null || exited.signal !== null),
    forced: exited?.forced ?? false,
    launchFailed: exited?.launchFailure != null,
  };
}

function resultFacts({ result, attempt }: AttemptReading): UnknownFacts["resultFile"] {
  if (result === null) return { kind: "elsewhere" };
  if (result.kind !== "valid") return { kind: result.kind };
  const { attemptId, correlationId, status } = result.result;
  const own = attemptId === attempt.attemptId && correlationId === attempt.runId;
  return own ? { kind: "valid", status } : { kind: "foreign" };
}
