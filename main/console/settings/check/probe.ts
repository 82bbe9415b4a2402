import type { CheckGroup, CheckItem, CheckResult, CheckSubject } from "../../../../shared/api/index.ts";

/** What a look at one thing found. */
export interface Finding {
  readonly result: CheckResult;
  readonly code: string;
  /** The connection must not be used as long as this stands. */
  readonly blocks?: boolean;
  /** Where more exactly than the probe itself says. */
  readonly place?: string;
  readonly facts?: Readonly<Record<string, string>>;
  readonly differences?: CheckItem["differences"];
}

/** One thing to look at. `look` is bounded by its signal and never throws for what it looks at. */
export interface Probe {
  readonly id: string;
  readonly group: CheckGroup;
  readonly subject: CheckSubject;
  readonly of: string | null;
  readonly place: string;
  /** Id of a probe without whose success nothing can be learnt here. */
  readonly needs?: string;
  readonly look: (signal: AbortSignal) => Promise<Finding>;
}

export const confirmed = (code: string, facts: Finding["facts"] = {}): Finding => ({
  result: "confirmed",
  code,
  facts,
});
/** Something a person has to look at; by itself it stops nothing. */
export const person = (code: string, facts: Finding["facts"] = {}): Finding => ({
  result: "person",
  code,
  facts,
});
/** Something that is wrong: a person has to correct it before the connection can be used. */
export const wrong = (code: string, facts: Finding["facts"] = {}): Finding => ({
  ...person(code, facts),
  blocks: true,
});
export const unreadable = (code: string, facts: Finding["facts"] = {}): Finding => ({
  result: "unreadable",
  code,
  facts,
  blocks: true,
});
