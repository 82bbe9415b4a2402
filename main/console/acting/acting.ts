import type { ActionExecute, GivenConsent, Operation } from "../../../shared/api/index.ts";
import { fail, ok, type Problem, type Result } from "../../../shared/domain/problem.ts";
import { aboutOf } from "./about.ts";
import { type CarryDeps, carryOut } from "./carry-out.ts";
import { checkConfirmed, checkFields, checkTyped, PLAN_NOT_SHOWN } from "./checks.ts";
import { checkConsent, type ProveApprover } from "./consent.ts";
import type { Planner } from "./planner.ts";
import type { Acting, ActionOrder, Actors, Filed, Planned } from "./ports.ts";
import { type RecorderDeps, recorded } from "./recorder.ts";
import type { ShownPlans } from "./shown-plans.ts";

export interface ActingDeps extends CarryDeps {
  readonly planner: Planner;
  readonly actors: Actors;
  /** Why nothing may be changed now, or null. */
  readonly gate: () => Promise<Problem | null>;
  readonly operations: {
    get(operationId: string): Operation | undefined;
    /** Why it would not be begun, before anything is given up for it. Codes of `act`. */
    mayAct(order: Pick<ActionOrder, "operationId" | "about">): Result<null>;
    /** Codes `OPERATION_UNDER_WAY`, `CONSOLE_ENDING`. */
    act(order: ActionOrder): Result<Operation>;
  };
  readonly prove: ProveApprover;
  readonly recorder: RecorderDeps;
  readonly shown: ShownPlans;
  /** Reads again what was touched (operator-ux U9). */
  readonly touched: (order: ActionExecute, planned: Planned) => void;
}

/** What is to be carried out, and for whom: on the spot, or filed before by somebody else (operator-ux §2.4). */
export interface Confirmation {
  readonly input: ActionExecute;
  readonly actors: Actors;
  readonly filed: Filed | null;
  /** Asked last, when everything else agrees; a refusal keeps it from being begun. */
  readonly take: () => Promise<Result<unknown>>;
}

/** Plans and carries out what an operator means to do; every check is made here, whatever a page made of it. */
export function createActing(deps: ActingDeps): Acting {
  const { planner, actors } = deps;
  return {
    async plan(intent, signal) {
      const planned = await planner.plan(intent, { actors, approvedBy: null }, signal);
      if (!planned.ok) return planned;
      const { plan, friction, readAt } = planned.value;
      deps.shown.shown(intent, plan);
      return ok({ plan, friction, readAt });
    },
    execute: (input, signal) =>
      confirm(deps, { input, actors, filed: null, take: async () => ok(null) }, signal),
  };
}

/** One path for what is confirmed on the spot and for what was filed and approved later (operator-ux §2.4, "One code path"). */
export async function confirm(
  deps: ActingDeps,
  confirmation: Confirmation,
  signal?: AbortSignal,
): Promise<Result<{ readonly operationId: string; readonly acceptedAt: string }>> {
  const { input, actors } = confirmation;
  const { operationId, intent } = input;
  const known = await acceptedBefore(deps, operationId);
  if (known !== null) return ok(known);
  const planned = await checkedPlan(deps, input, actors, signal);
  if (!planned.ok) return planned;
  const consent = await checkConsent(
    intent,
    planned.value,
    input.consent,
    [actors.account, actors.requestedBy],
    deps.prove,
  );
  if (!consent.ok) return consent;
  const named = await withApprover(deps, confirmation, planned.value, consent.value, signal);
  if (!named.ok) return named;
  const order = orderOf(deps, confirmation, named.value, consent.value);
  // Reading and proving took their time: the mode may have been changed, or the picture grown old.
  const closed = await deps.gate();
  if (closed !== null) return fail(closed);
  const free = deps.operations.mayAct(order);
  if (!free.ok) return free;
  const taken = await confirmation.take();
  if (!taken.ok) {
    // The same confirmation a second time, while the first was looked at: it took what there was to take.
    const meanwhile = await acceptedBefore(deps, operationId);
    return meanwhile === null ? taken : ok(meanwhile);
  }
  const accepted = deps.operations.act(order);
  return accepted.ok ? ok({ operationId, acceptedAt: accepted.value.acceptedAt }) : accepted;
}

/** When it was accepted, by this start of the console or by one before (electron-desktop I5); null for a new id. */
export async function acceptedBefore(
  { operations, recorder }: Pick<ActingDeps, "operations" | "recorder">,
  operationId: string,
): Promise<{ readonly operationId: string; readonly acceptedAt: string } | null> {
  const known = operations.get(operationId);
  if (known !== undefined) return { operationId, acceptedAt: known.acceptedAt };
  const recorded = await recorder.journal.find(operationId);
  return recorded === null ? null : { operationId, acceptedAt: recorded.accepted.at };
}

/**
 * The plan as it is now, if it is what was shown and nothing is missing; in this order: the console, the world, the form,
 * the hand. Nothing is written before all of them agree.
 */
export async function checkedPlan(
  deps: Pick<ActingDeps, "gate" | "planner" | "shown">,
  input: Omit<ActionExecute, "operationId" | "consent">,
  actors: Actors,
  signal?: AbortSignal,
): Promise<Result<Planned>> {
  const { intent } = input;
  const closed = await deps.gate();
  if (closed !== null) return fail(closed);
  if (deps.shown.ageMs(intent, input.fingerprint) === null) return fail(PLAN_NOT_SHOWN);
  const planned = await deps.planner.plan(intent, { actors, approvedBy: null }, signal);
  if (!planned.ok) return planned;
  const { plan } = planned.value;
  const same = checkConfirmed(intent, plan, input);
  if (!same.ok) return same;
  const fields = checkFields(intent, plan);
  if (!fields.ok) return fields;
  const [refusal] = plan.refusals;
  if (refusal !== undefined) return fail(refusal);
  const typed = checkTyped(input.typed, planned.value);
  return typed.ok ? planned : typed;
}

/** A record that names its approver is planned once more with that name, and judged again by its own rules. */
async function withApprover(
  { planner }: ActingDeps,
  { input, actors }: Confirmation,
  planned: Planned,
  consent: GivenConsent,
  signal?: AbortSignal,
): Promise<Result<Planned>> {
  const { intent } = input;
  if (intent.kind !== "resolve" || consent.kind !== "person") return ok(planned);
  const named = await planner.plan(intent, { actors, approvedBy: consent.account }, signal);
  if (!named.ok) return named;
  const [refusal] = named.value.plan.refusals;
  return refusal === undefined ? named : fail(refusal);
}

function orderOf(
  deps: ActingDeps,
  { input, actors, filed }: Confirmation,
  planned: Planned,
  consent: GivenConsent,
): ActionOrder {
  const { operationId, intent, seen, fingerprint } = input;
  const planAgeMs = deps.shown.ageMs(intent, fingerprint);
  const what = { operationId, intent, planned, seen, fingerprint, planAgeMs, consent, filed };
  return {
    operationId,
    kind: intent.kind,
    subject: planned.plan.subject,
    reason: "reason" in intent ? intent.reason.trim() : "",
    requestedBy: actors.requestedBy,
    consent,
    about: aboutOf(intent),
    async carry(steps) {
      try {
        return await recorded(deps.recorder, what, steps, (watched) =>
          carryOut(deps, { intent, planned, seen, actors }, watched),
        );
      } finally {
        deps.touched(input, planned);
      }
    },
  };
}
