import type { ConsoleApi, FiledRequest, PlannedAction } from "../../shared/api/index.ts";
import type { Problem } from "../../shared/domain/problem.ts";
import type { ActionDraft } from "./action-draft.ts";
import type { SentAction } from "./action-sent.ts";

export interface ActionState {
  /** Null while nothing is open. */
  readonly draft: ActionDraft | null;
  /** Whose frame it stands in: the window's one dialog, or a drawer of the page that opened it. */
  readonly place: "dialog" | "page";
  /** Of the second person: neither kept with the draft nor after it was sent. */
  readonly passphrase: string;
  readonly planned: PlannedAction | null;
  /** When it arrived, by this window's clock; epoch milliseconds. */
  readonly plannedAtMs: number;
  readonly planning: boolean;
  /** The plan no longer counts, and nobody was there to have it made anew. */
  readonly old: boolean;
  readonly planProblem: Problem | null;
  /** Records that changed while the dialog was open. */
  readonly moved: readonly string[];
  readonly sent: SentAction | null;
  /** The request for consent is on its way. */
  readonly filing: boolean;
  /** As it was filed; nothing is carried out before somebody approves it. */
  readonly filed: FiledRequest | null;
  /** Why the confirmation was refused; nothing was written. */
  readonly sendProblem: Problem | null;
}

export const closedAction: ActionState = {
  draft: null,
  place: "dialog",
  passphrase: "",
  planned: null,
  plannedAtMs: 0,
  planning: false,
  old: false,
  planProblem: null,
  moved: [],
  sent: null,
  filing: false,
  filed: null,
  sendProblem: null,
};

export interface ActionDeps {
  readonly api: ConsoleApi;
  /** A new id, of an operation or an upload. */
  readonly operationId: () => string;
  readonly later: (work: () => void, ms: number) => () => void;
  /** This window's clock; epoch milliseconds. */
  readonly nowMs: () => number;
}
