import type { Intent, Operation } from "../../../shared/api/index.ts";
import { FlowError, type Problem } from "../../../shared/domain/problem.ts";
import type { ActionJournal, RecordedAction } from "./journal/index.ts";
import type { ActionEnd, ActionSteps, Filed, Planned } from "./ports.ts";

/** What is written down of an operation before it is done. */
export interface Recorded {
  readonly operationId: string;
  readonly intent: Intent;
  readonly planned: Planned;
  readonly seen: Planned["plan"]["seen"];
  readonly fingerprint: string;
  readonly planAgeMs: number | null;
  readonly consent: Operation["consent"];
  readonly filed: Filed | null;
}

export interface RecorderDeps {
  readonly journal: ActionJournal;
  /** Told where an end could not be written: the next start finds the operation open and calls it uncertain. */
  readonly onProblem: (problem: Problem) => void;
}

/**
 * Does something between its two lines of the journal (operator-ux §2.5): nothing is done that is not written down
 * first. What `work` throws is written as uncertain and passes.
 */
export async function recorded(
  { journal, onProblem }: RecorderDeps,
  what: Recorded,
  steps: ActionSteps,
  work: (steps: ActionSteps) => Promise<ActionEnd>,
): Promise<ActionEnd> {
  try {
    await journal.append(acceptedEntry(what));
  } catch (error) {
    if (!(error instanceof FlowError)) throw error;
    return { state: "refused", resultCode: error.code, problem: error.problem };
  }
  let probes: Operation["probes"] = [];
  const watched: ActionSteps = {
    ...steps,
    update(change) {
      probes = change.probes ?? probes;
      steps.update(change);
    },
  };
  const close = (end: ActionEnd): Promise<void> =>
    journal.append(endedEntry(what.operationId, end, probes)).catch((error: unknown) => {
      if (!(error instanceof FlowError)) throw error;
      onProblem(error.problem);
    });
  try {
    const end = await work(watched);
    await close(end);
    return end;
  } catch (error) {
    await close({ state: "uncertain", resultCode: codeOf(error) });
    throw error;
  }
}

const codeOf = (error: unknown): string => (error instanceof FlowError ? error.code : "CONSOLE_INTERNAL");

function acceptedEntry({ intent, planned, ...what }: Recorded) {
  const { plan, evidence, probes } = planned;
  const { kind, ...rest } = intent;
  return {
    step: "accepted",
    operationId: what.operationId,
    action: kind,
    operation: plan.operation,
    subject: plan.subject,
    arguments: rest,
    seen: { ...what.seen },
    reason: "reason" in intent ? intent.reason.trim() : "",
    evidence: [...evidence],
    fingerprint: what.fingerprint,
    planAgeMs: what.planAgeMs,
    probes: [...probes],
    consent: what.consent,
    filed: what.filed,
  } as const;
}

const endedEntry = (operationId: string, end: ActionEnd, probes: Operation["probes"]) =>
  ({
    step: "ended",
    operationId,
    state: end.state,
    code: end.resultCode ?? end.problem?.code ?? null,
    message: end.problem?.message ?? null,
    detail: end.detail ?? {},
    probes: [...probes],
    recovered: false,
  }) as const;

/** Why an operation of an earlier start has no end here. */
const NOT_LEARNT: Problem = {
  code: "OPERATION_END_UNKNOWN",
  message: "The console ended while this was under way; whether it was done was not written down.",
  remedy: "Look at the records before anything is done again.",
};

/** How many operations are looked through for open ones. */
const RECENT = 500;

/** This process, as the journal tells it from others. */
export interface OwnProcess {
  readonly pid: number;
  /** When it began to act, ISO-8601 UTC: in a container every start has the same number. */
  readonly since: string;
}

/**
 * Operations an earlier start left without an end: each gets one, `uncertain`, and is told to whoever asks for its id.
 * Those of this very process are under way. Rejects with the codes of the journal.
 */
export async function recoverOpen(journal: ActionJournal, own: OwnProcess): Promise<readonly Operation[]> {
  const { actions } = await journal.read({ before: null, limit: RECENT, filter: {} });
  const isOwn = ({ who, at }: RecordedAction["accepted"]): boolean => who.pid === own.pid && at >= own.since;
  const open = actions.filter(({ accepted, ended }) => ended === null && !isOwn(accepted));
  for (const { accepted } of open) {
    await journal.append({
      step: "ended",
      operationId: accepted.operationId,
      state: "uncertain",
      code: NOT_LEARNT.code,
      message: NOT_LEARNT.message,
      detail: {},
      probes: [],
      recovered: true,
    });
  }
  return open.map(operationOf);
}

/** An operation as the journal knows it, for whoever asks late. */
export function operationOf({ accepted, ended }: RecordedAction): Operation {
  const { networkId, businessKey, runId, nodeId, requestId, jobKey } = accepted.subject;
  const state = ended?.state ?? "uncertain";
  return {
    operationId: accepted.operationId,
    kind: accepted.action,
    ...{ networkId, businessKey, runId, nodeId, requestId, jobKey },
    requestedBy: accepted.who.requestedBy,
    reason: accepted.reason,
    acceptedAt: accepted.at,
    endedAt: ended?.at ?? accepted.at,
    state,
    outcome: null,
    resultCode: ended?.code ?? null,
    aggregateStatus: null,
    detail: ended?.detail ?? {},
    probes: ended?.probes ?? [],
    consent: accepted.consent,
    problem: ended === null || ended.recovered ? NOT_LEARNT : endProblem(ended),
  };
}

function endProblem({ code, message }: NonNullable<RecordedAction["ended"]>): Problem | null {
  return code === null || message === null ? null : { code, message };
}
