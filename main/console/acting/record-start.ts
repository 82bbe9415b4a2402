import type { Operation } from "../../../shared/api/index.ts";
import { NO_SUBJECT } from "../../../shared/domain/operations/index.ts";
import { FlowError, type Problem } from "../../../shared/domain/problem.ts";
import type { RecorderDeps } from "./recorder.ts";

/** A start of this console, as far as the journal tells of it. */
export interface RecordedStart {
  readonly operationId: string;
  readonly profile: string;
  readonly networkId: string;
  readonly businessKey: string;
  readonly scheduledFor: string | null;
  readonly reason: string;
  /** Of the preview that was confirmed. */
  readonly fingerprint: string;
}

/** The two lines of a start. `begin` answers why it must not happen, or null; `end` never throws. */
export interface StartRecord {
  begin(): Promise<Problem | null>;
  end(operation: Operation): Promise<void>;
}

/** A start is written down like every other action (operator-ux §2.5). */
export function recordStart({ journal, onProblem }: RecorderDeps, start: RecordedStart): StartRecord {
  const { operationId, profile, networkId, businessKey, scheduledFor, reason, fingerprint } = start;
  return {
    async begin() {
      try {
        await journal.append({
          step: "accepted",
          operationId,
          action: "start",
          operation: "START",
          subject: { ...NO_SUBJECT, profile, networkId, businessKey },
          arguments: { networkId, businessKey, scheduledFor, reason },
          seen: {},
          reason,
          evidence: [],
          fingerprint,
          planAgeMs: null,
          probes: [],
          consent: { kind: "none", account: null },
          filed: null,
        });
        return null;
      } catch (error) {
        if (error instanceof FlowError) return error.problem;
        throw error;
      }
    },
    async end({ state, resultCode, problem, runId, aggregateStatus, outcome }) {
      await journal
        .append({
          step: "ended",
          operationId,
          state,
          code: resultCode ?? problem?.code ?? null,
          message: problem?.message ?? null,
          detail: { runId, aggregateStatus, outcome },
          probes: [],
          recovered: false,
        })
        .catch((error: unknown) => {
          if (error instanceof FlowError) onProblem(error.problem);
          else throw error;
        });
    },
  };
}
