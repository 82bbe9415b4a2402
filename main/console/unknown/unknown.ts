import type {
  BusinessReading,
  DoubtList,
  RecoveryPicture,
  UnknownDetail,
} from "../../../shared/api/index.ts";
import type { Result } from "../../../shared/domain/problem.ts";
import { type BusinessQuestion, readBusinessData } from "./business-data.ts";
import { readUnknown } from "./detail.ts";
import { listDoubts, locateAttempt } from "./doubts.ts";
import type { UnknownDeps } from "./ports.ts";
import { readRecovery } from "./recovery.ts";

export interface Unknowns {
  /** `most`: entries told, the longest waiting first. */
  list(most: number, signal?: AbortSignal): Promise<DoubtList>;
  locate(
    attemptId: string,
    signal?: AbortSignal,
  ): Promise<Result<{ readonly runId: string; readonly nodeId: string }>>;
  detail(
    node: { readonly runId: string; readonly nodeId: string },
    signal?: AbortSignal,
  ): Promise<Result<UnknownDetail>>;
  query(question: BusinessQuestion, signal?: AbortSignal): Promise<Result<BusinessReading>>;
  recovery(runId: string, signal?: AbortSignal): Promise<Result<RecoveryPicture>>;
}

/** 結果不明 and the way out of it, read from records, processes and business data. Writes nothing (operator-ux D13). */
export function createUnknowns(deps: UnknownDeps): Unknowns {
  return {
    list: (most, signal) => listDoubts(deps, most, signal),
    locate: (attemptId, signal) => locateAttempt(deps, attemptId, signal),
    detail: (node, signal) => readUnknown(deps, node, signal),
    query: (question, signal) => readBusinessData(deps, question, signal),
    recovery: (runId, signal) => readRecovery(deps, runId, signal),
  };
}
