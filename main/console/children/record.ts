import type { ChildTree, StopOrder, StopProgress } from "../../../shared/api/index.ts";
import { FlowError, type Problem } from "../../../shared/domain/problem.ts";
import type { ActionJournal } from "../acting/index.ts";

export interface StopRecordDeps {
  readonly journal: Pick<ActionJournal, "append">;
  readonly profile: string;
  /** Told where an end could not be written: the next start finds the stop open and calls it uncertain. */
  readonly onProblem: (problem: Problem) => void;
}

/** The two lines of a stop in the action journal (operator-ux §2.5). */
export interface StopRecord {
  /** Before anything is asked of a process. Null when it is on the disk; then nothing was done. */
  accepted(order: StopOrder, tree: ChildTree): Promise<Problem | null>;
  /** What it came to: done only where everything is proven gone. */
  ended(stop: StopProgress): Promise<void>;
}

/** Writes down who stopped which tree, why and on what they saw, and what is left of it. */
export function createStopRecord({ journal, profile, onProblem }: StopRecordDeps): StopRecord {
  return {
    async accepted(order, tree) {
      try {
        await journal.append(acceptedEntry(order, tree, profile));
        return null;
      } catch (error) {
        if (!(error instanceof FlowError)) throw error;
        return error.problem;
      }
    },
    async ended(stop) {
      try {
        await journal.append(endedEntry(stop));
      } catch (error) {
        if (!(error instanceof FlowError)) throw error;
        onProblem(error.problem);
      }
    },
  };
}

function acceptedEntry(order: StopOrder, { root, attempt, processes, origin }: ChildTree, profile: string) {
  const { operationId, reason, fingerprint } = order;
  const targets = processes.map(({ pid, processStart, image }) => ({ pid, processStart, image }));
  return {
    step: "accepted",
    operationId,
    action: "processStop",
    operation: "PROCESS_STOP",
    subject: {
      profile,
      networkId: attempt?.networkId ?? null,
      businessKey: attempt?.businessKey ?? null,
      runId: attempt?.runId ?? null,
      nodeId: attempt?.nodeId ?? null,
      requestId: null,
      jobKey: null,
    },
    arguments: { ...root, origin, attemptId: attempt?.attemptId ?? null, targets },
    seen: {},
    reason: reason.trim(),
    evidence: [],
    fingerprint,
    planAgeMs: null,
    probes: [],
    consent: { kind: "none", account: null },
    filed: null,
  } as const;
}

function endedEntry({ operationId, requested, forcedAt, gone }: StopProgress) {
  const left = gone?.kind === "notProven" ? gone.left.map(({ pid }) => pid).join(" ") : "";
  const proven = gone?.kind === "proven";
  return {
    step: "ended",
    operationId,
    state: proven ? "done" : "uncertain",
    code: proven ? "PROCESS_GONE" : "PROCESS_NOT_PROVEN_GONE",
    message: gone?.kind === "notProven" ? gone.reason : null,
    detail: { requested, forced: forcedAt !== null, left },
    probes: [],
    recovered: false,
  } as const;
}
