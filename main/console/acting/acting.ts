import type { ActionExecute, GivenConsent, Operation } from "../../../shared/api/index.ts";
import { fail, ok, type Problem, type Result } from "../../../shared/domain/problem.ts";
import { aboutOf } from "./about.ts";
import { type CarryDeps, carryOut } from "./carry-out.ts";
import { checkConfirmed, checkFields, checkTyped, PLAN_NOT_SHOWN } from "./checks.ts";
import { checkConsent, type ProveApprover } from "./consent.ts";
import type { Planner } from "./planner.ts";
import type { Acting, ActionEnd, ActionOrder, ActionSteps, Actors, Planned } from "./ports.ts";
import { type RecorderDeps, recorded } from "./recorder.ts";
import type { ShownPlans } from "./shown-plans.ts";

export interface ActingDeps extends CarryDeps {
  readonly planner: Planner;
  readonly actors: Actors;
  /** Why nothing may be changed now, or null. */
  readonly gate: () => Problem | null;
  readonly operations: {
    get(operationId: string): Operation | undefined;
    /** Code `OPERATION_UNDER_WAY`. */
    act(order: ActionOrder): Result<Operation>;
  };
  readonly prove: ProveApprover;
  readonly recorder: RecorderDeps;
  readonly shown: ShownPlans;
  /** Reads again what was touched (operator-ux U9). */
  readonly touched: (order: ActionExecute, planned: Planned) => void;
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
    async execute(input, signal) {
      const { operationId } = input;
      const known = deps.operations.get(operationId);
      if (known !== undefined) return ok({ operationId, acceptedAt: known.acceptedAt });
      const closed = deps.gate();
      if (closed !== null) return fail(closed);
      const planned = await planner.plan(input.intent, { actors, approvedBy: null }, signal);
      if (!planned.ok) return planned;
      const consent = await checked(deps, input, planned.value);
      if (!consent.ok) return consent;
      const named = await withApprover(deps, input, planned.value, consent.value, signal);
      if (!named.ok) return named;
      const accepted = deps.operations.act(orderOf(deps, input, named.value, consent.value));
      return accepted.ok ? ok({ operationId, acceptedAt: accepted.value.acceptedAt }) : accepted;
    },
  };
}

/** In this order: the world, the form, the hand, the other person. Nothing is written before all of them agree. */
async function checked(
  deps: ActingDeps,
  input: ActionExecute,
  planned: Planned,
): Promise<Result<GivenConsent>> {
  const { intent } = input;
  const { plan } = planned;
  if (deps.shown.ageMs(intent, input.fingerprint) === null) return fail(PLAN_NOT_SHOWN);
  const same = checkConfirmed(intent, plan, input);
  if (!same.ok) return same;
  const fields = checkFields(intent, plan);
  if (!fields.ok) return fields;
  const [refusal] = plan.refusals;
  if (refusal !== undefined) return fail(refusal);
  const typed = checkTyped(input.typed, planned);
  if (!typed.ok) return typed;
  return checkConsent(intent, planned, input.consent, deps.actors.account, deps.prove);
}

/** A record that names its approver is planned once more with that name, and judged again by its own rules. */
async function withApprover(
  { planner, actors }: ActingDeps,
  { intent }: ActionExecute,
  planned: Planned,
  consent: GivenConsent,
  signal?: AbortSignal,
): Promise<Result<Planned>> {
  if (intent.kind !== "resolve" || consent.kind !== "person") return ok(planned);
  const named = await planner.plan(intent, { actors, approvedBy: consent.account }, signal);
  if (!named.ok) return named;
  const [refusal] = named.value.plan.refusals;
  return refusal === undefined ? named : fail(refusal);
}

function orderOf(
  deps: ActingDeps,
  input: ActionExecute,
  planned: Planned,
  consent: GivenConsent,
): ActionOrder {
  const { operationId, intent, seen, fingerprint } = input;
  const { actors } = deps;
  const planAgeMs = deps.shown.ageMs(intent, fingerprint);
  const what = { operationId, intent, planned, seen, fingerprint, planAgeMs, consent, filed: null };
  return {
    operationId,
    kind: intent.kind,
    subject: planned.plan.subject,
    reason: "reason" in intent ? intent.reason.trim() : "",
    requestedBy: actors.requestedBy,
    consent,
    about: aboutOf(intent),
    async carry(steps: ActionSteps): Promise<ActionEnd> {
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
