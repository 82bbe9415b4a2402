import type { KintoneRequest, KintoneResponse } from "../model.ts";
import type { ActionTools } from "./actions.ts";
import type { Wording } from "./answers.ts";
import type { Barriers } from "./barriers.ts";
import type { FaultEffect } from "./effect-schema.ts";
import type { Firing, RuleBook, Stage } from "./rule-book.ts";
import type { Subject } from "./subject.ts";

/** What the way of a request through the rules is made of. */
export interface PipelineTools extends ActionTools {
  readonly book: RuleBook;
  readonly barriers: Barriers;
  readonly wording: Wording;
  seed(): number;
  monotonic(): number;
  pause(ms: number): Promise<void>;
  /** Aborted when the server ends: whatever is held then is given up, not carried out. */
  readonly ended: AbortSignal;
  /** Ends the process as `kill -9` would; throws FlowError where the server is not a process of its own. */
  crash(): void;
  logAction(action: string, rule: string): void;
}

/** A request on its way, with what the journal will say about it. */
export interface Passage {
  readonly request: KintoneRequest;
  readonly subject: Subject;
  readonly rules: string[];
  heldMs: number;
  /** Called when the request has ended, whatever became of it. */
  readonly finally: (() => void)[];
}

/** An answer that ends a request early; null lets it go on. */
export type Early = KintoneResponse | null;

/** No answer at all, and how the line behaves instead. */
export const lineFault = (delivery: NonNullable<KintoneResponse["delivery"]>): KintoneResponse => ({
  status: 0,
  headers: {},
  body: "",
  delivery,
});

/** The rules that act on a request at a stage, noted for the journal. */
export function takeRules(
  { book }: PipelineTools,
  passage: Passage,
  stage: Stage,
  applies?: (effect: FaultEffect) => boolean,
): readonly Firing[] {
  const firings = book.take(stage, passage.subject, applies);
  passage.rules.push(...firings.map(({ rule }) => rule.id));
  return firings;
}
