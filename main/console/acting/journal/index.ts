/** The action journal: who did what, why, on what they saw, and what came of it (operator-ux §2.5). */

export type { ActionFilter, ActionPage, JournalEntry, JournalPage, RecordedAction } from "./actions.ts";
export { type ChainBreak, type ChainReading, readChain } from "./chain.ts";
export { type ActionJournal, type ChainCheck, createActionJournal } from "./journal.ts";
export {
  type ActionEntry,
  type ActionLine,
  type ActionWho,
  actionLineSchema,
  type PeopleLine,
} from "./line.ts";
