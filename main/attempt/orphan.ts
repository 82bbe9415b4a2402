import { isUtcInstant } from "../../shared/domain/datetime.ts";
import type { ExecutionResult } from "../../shared/domain/execution-result.ts";
import type { Attempt, JobLog } from "../../shared/domain/model.ts";
import { type OrphanFacts, type OrphanVerdict, orphanVerdict } from "../../shared/domain/orphan-verdict.ts";
import type { Problem } from "../../shared/domain/problem.ts";
import type { OrphanEnd } from "../../shared/domain/resume-drafts.ts";
import type { ProcessInspector } from "../process/index.ts";
import type { JobLogLookup } from "../store/index.ts";
import { type JobLogReader, LOOKUP_RETRY, type LookupRetry, lookUpJobLog } from "./job-log-lookup.ts";
import type { AttemptJournal } from "./journal/journal.ts";
import { localFactsOf } from "./local-facts.ts";
import { readResultFile } from "./result-file.ts";
import { workFolderOf } from "./work-folder.ts";

/** What became of an Attempt another Invocation left RUNNING. */
export type OrphanJudgement =
  | { readonly kind: "settled"; readonly end: OrphanEnd }
  /** Its child runs and may be writing (W-03). */
  | { readonly kind: "child-running"; readonly problem: Problem }
  /** The JOB log gives no answer; nothing may be written. */
  | { readonly kind: "unreadable"; readonly problem: Problem };

export interface OrphanJudge {
  /** Looks at the JOB log, this host's journal and processes, and the result file, in this order of weight. */
  judge(attempt: Attempt): Promise<OrphanJudgement>;
  /** True only when the JOB log was read and knows nothing of the Attempt (W-01). */
  unknownToLog(attemptId: string): Promise<boolean>;
}

export interface OrphanDeps {
  readonly jobLog: JobLogReader;
  readonly journal: AttemptJournal;
  readonly inspector: ProcessInspector;
  /** The runner's work folder; results of attempts of this host lie below it. */
  readonly workDir: string;
  readonly lookupRetry?: LookupRetry;
}

/** Judges Attempts whose orchestrator is gone (orchestration §5.3, decisions §3). Writes nothing. */
export function createOrphanJudge(deps: OrphanDeps): OrphanJudge {
  const lookUp = (attemptId: string): Promise<JobLogLookup> =>
    lookUpJobLog(attemptId, deps.jobLog, deps.lookupRetry ?? LOOKUP_RETRY);
  return {
    async judge(attempt) {
      const { attemptId } = attempt;
      const lookup = await lookUp(attemptId);
      const local = await localFactsOf(attemptId, deps.journal, deps.inspector);
      const verdict = orphanVerdict({
        executionStartedAt: attempt.executionStartedAt,
        jobLog: logFacts(lookup),
        local,
      });
      if (verdict.kind === "child-running") return { kind: "child-running", problem: childRunning(attempt) };
      if (verdict.kind === "unreadable") return { kind: "unreadable", problem: unreadable(attempt, lookup) };
      const result = local.owned ? await resultOf(deps.workDir, attempt) : null;
      return { kind: "settled", end: endOf(verdict, lookup, result) };
    },
    unknownToLog: async (attemptId) => (await lookUp(attemptId)).kind === "none",
  };
}

function logFacts(lookup: JobLogLookup): OrphanFacts["jobLog"] {
  return lookup.kind === "found" ? { kind: "found", status: lookup.log.status } : { kind: lookup.kind };
}

/** A result that echoes this Attempt; it supports what the JOB log says and never replaces it (orchestration §11.1 B). */
async function resultOf(workDir: string, attempt: Attempt): Promise<ExecutionResult | null> {
  const reading = await readResultFile(workFolderOf(workDir, attempt.attemptId).resultPath);
  if (reading.kind !== "valid") return null;
  const { result } = reading;
  const own = result.attemptId === attempt.attemptId && result.correlationId === attempt.runId;
  return own ? result : null;
}

type Settled = Extract<OrphanVerdict, { readonly kind: "settled" }>;

function endOf(
  { kind: _kind, ...outcome }: Settled,
  lookup: JobLogLookup,
  result: ExecutionResult | null,
): OrphanEnd {
  const log: JobLog | null = lookup.kind === "found" ? lookup.log : null;
  const told = result !== null && result.status === outcome.attemptStatus ? result : null;
  const finishedAt = log?.finishedAt ?? told?.finishedAt ?? null;
  return {
    ...outcome,
    finishedAt: finishedAt !== null && isUtcInstant(finishedAt) ? finishedAt : null,
    executionId: log?.executionId ?? told?.executionId ?? null,
    durationSec: told === null ? null : told.durationMs / 1000,
    readCount: told?.readCount ?? log?.readCount ?? null,
    writtenCount: told?.writtenCount ?? log?.writtenCount ?? null,
    lastSuccessfulChunkNo: told?.lastSuccessfulChunkNo ?? null,
    lastWrittenKey: told?.lastWrittenKey ?? log?.lastWrittenKey ?? null,
    errorMessage: log?.errorMessage ?? told?.error?.message ?? null,
  };
}

const childRunning = ({ nodeId, attemptId, attemptNo }: Attempt): Problem => ({
  code: "ORPHAN_CHILD_RUNNING",
  message: `The job of ${nodeId} (attempt ${attemptNo}) still runs on this host and may be writing. Nothing was changed.`,
  place: `attempt ${attemptId}`,
  remedy: "Wait until it has ended, or stop it, then resume.",
  details: { attemptId, nodeId },
});

const unreadable = ({ nodeId, attemptId }: Attempt, lookup: JobLogLookup): Problem => ({
  code: "JOB_LOG_UNREADABLE",
  message:
    lookup.kind === "unreadable"
      ? `The JOB log of ${nodeId} could not be read: ${lookup.problem.message} Nothing was changed.`
      : `The JOB log has more than one record of the attempt of ${nodeId}; which one is real cannot be known. Nothing was changed.`,
  place: `attempt ${attemptId}`,
  remedy: "Make the JOB log readable, or look at its records in kintone, then resume.",
  details: { attemptId, nodeId },
});
