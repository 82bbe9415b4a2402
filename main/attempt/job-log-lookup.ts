import { setTimeout as delay } from "node:timers/promises";
import { FlowError } from "../../shared/domain/problem.ts";
import type { FlowReads, JobLogLookup } from "../store/index.ts";

export type JobLogReader = Pick<FlowReads, "findJobLog">;

/** How often and how long apart an unreadable JOB log is read again. */
export interface LookupRetry {
  readonly attempts: number;
  readonly pauseMs: number;
}
export const LOOKUP_RETRY: LookupRetry = { attempts: 3, pauseMs: 1_000 };

/** True until an outage has been waited out for as long as it may be. */
export type MayDrain = () => boolean;

/**
 * Looks up the JOB log of an attempt whose process has ended; reading it again is always safe. Never rejects:
 * what stays unreadable is told as such, and the verdict takes it for "nobody knows" (orchestration §5.2, `M`).
 * An outage is waited out as long as `mayDrain` says.
 */
export async function lookUpJobLog(
  attemptId: string,
  reader: JobLogReader,
  retry: LookupRetry,
  mayDrain: MayDrain = () => false,
): Promise<JobLogLookup> {
  for (let left = retry.attempts - 1; ; left--) {
    const found = await readOnce(attemptId, reader);
    if (found.kind !== "unreadable") return found;
    // A refusal comes again; only a kintone that cannot be reached is worth a longer wait.
    const drain = found.problem.code === "STORE_UNREACHABLE" && mayDrain();
    if (left <= 0 && !drain) return found;
    await delay(retry.pauseMs);
  }
}

async function readOnce(attemptId: string, reader: JobLogReader): Promise<JobLogLookup> {
  try {
    return await reader.findJobLog(attemptId);
  } catch (error) {
    const problem =
      error instanceof FlowError
        ? error.problem
        : { code: "JOB_LOG_UNREADABLE", message: "The JOB log could not be read." };
    return { kind: "unreadable", problem };
  }
}
