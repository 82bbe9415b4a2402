import type { Hold, NetworkLock, Run, Stored } from "../model.ts";
import type { Problem, Result } from "../problem.ts";
import type { ProfileDifference } from "../profile-difference.ts";
import type { ResumeFacts } from "../resume-plan.ts";
import type { ComparedInput } from "./operation.ts";
import type { SeenRecords } from "./seen.ts";

/** What a RESUME or RERUN_FROM is planned from; a part that could not be read stands as its problem. */
export interface ResumeOperationFacts {
  readonly run: Stored<Run>;
  readonly hold: Stored<Hold> | null;
  readonly lock: NetworkLock | null;
  readonly differences: Result<readonly ProfileDifference[]>;
  /** Of the stored bundle: its nodes in definition order, and their stable topological order. */
  readonly definition: Result<Pick<ResumeFacts, "nodes"> & { readonly order: readonly string[] }>;
  readonly judged: Result<Pick<ResumeFacts, "orphans" | "unknownToLog">>;
  readonly records: Pick<ResumeFacts, "states" | "attempts" | "resolutions" | "invocations">;
  readonly rerunFrom: string | null;
  /** It is asked for as a schedule asks: by its key and without a word (W-31). */
  readonly bySchedule: boolean;
  readonly inputs: readonly ComparedInput[] | null;
  /** What the files of the nodes that would run say against it (orchestration §2.1, R10 and R13). */
  readonly files?: Problem;
  readonly requestedBy: string;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly readAt: string;
}

/** The records a RESUME or RERUN_FROM is decided on (orchestration §2.1, R7 to R14). */
export function resumeSeen(facts: {
  readonly run: Pick<Stored<Run>, "ref">;
  readonly hold: Pick<Stored<Hold>, "ref"> | null;
  readonly states: ResumeFacts["states"];
  readonly attempts: ResumeFacts["attempts"];
  readonly invocations: ResumeFacts["invocations"];
  readonly resolutions: readonly (ResumeFacts["resolutions"][number] & Partial<Pick<Stored<Run>, "ref">>)[];
}): SeenRecords {
  const { run, hold, states, attempts, invocations, resolutions } = facts;
  return {
    run: run.ref,
    hold: hold?.ref ?? null,
    ...Object.fromEntries(states.map(({ nodeId, ref }) => [`node ${nodeId}`, ref])),
    ...Object.fromEntries(attempts.map(({ attemptId, ref }) => [`attempt ${attemptId}`, ref])),
    ...Object.fromEntries(invocations.map(({ invocationId, ref }) => [`invocation ${invocationId}`, ref])),
    ...Object.fromEntries(
      resolutions.flatMap(({ attemptId, resolvedAt, ref }) =>
        ref === undefined ? [] : [[`resolution ${attemptId} ${resolvedAt}`, ref]],
      ),
    ),
  };
}
