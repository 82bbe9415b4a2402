import type {
  ActionExecute,
  GivenConsent,
  Intent,
  IntentKind,
  Operation,
  PlannedAction,
  Probe,
} from "../../../shared/api/index.ts";
import type { OperationPlan, PlanSubject } from "../../../shared/domain/operations/index.ts";
import type { Result } from "../../../shared/domain/problem.ts";
import type { IntendedOperation, RunNetworkInput } from "../../orchestrator/index.ts";

/** Who acts from this console, and as whom the records name them. */
export interface Actors {
  /** The account of the operating system; what roles and approvals hang on (decisions §5). */
  readonly account: string;
  readonly requestedBy: string;
  readonly servicePrincipal: string;
  readonly profile: string;
}

/** A file given as proof, by its own name and hash. */
export interface EvidenceFile {
  readonly name: string;
  readonly sha256: string;
}

/** What an intent comes to at this moment: its plan, its friction, and the words in which it would be carried out. */
export interface Planned extends PlannedAction {
  readonly plan: OperationPlan;
  /** Null for what no orchestrator does: the runner releases job locks. */
  readonly operation: IntendedOperation | null;
  readonly evidence: readonly EvidenceFile[];
  readonly probes: readonly Probe[];
}

/** An operation that passed every check and is to be carried out. */
export interface ActionOrder {
  readonly operationId: string;
  readonly kind: IntentKind;
  readonly subject: PlanSubject;
  readonly reason: string;
  readonly requestedBy: string;
  readonly consent: GivenConsent;
  /** What a second one must not be under way for meanwhile. */
  readonly about: string;
  /** Does it; the answer is how it ended. What it throws leaves the end unknown. */
  readonly carry: (steps: ActionSteps) => Promise<ActionEnd>;
}

/** Who filed a request for consent, where and when (operator-ux §2.4). */
export interface Filed {
  readonly by: string;
  readonly host: string;
  readonly at: string;
}

/** How an operation ended. */
export type ActionEnd = Partial<Operation> & Pick<Operation, "state">;

/** What carrying out may use. */
export interface ActionSteps {
  /** Aborts when the console ends. */
  readonly signal: AbortSignal;
  /** Told to whoever looks, at once. */
  update(change: Partial<Operation>): void;
  /** Runs a network like a start of this console: its events reach every page. */
  runNetwork(input: RunNetworkInput): Promise<ActionEnd>;
}

/** Everything that acts, planned and executed (architecture §4, "A click"). */
export interface Acting {
  /** Writes nothing (operator-ux D13). */
  plan(intent: Intent, signal?: AbortSignal): Promise<Result<PlannedAction>>;
  execute(
    input: ActionExecute,
    signal?: AbortSignal,
  ): Promise<Result<{ readonly operationId: string; readonly acceptedAt: string }>>;
}
