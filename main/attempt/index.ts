export { ATTEMPT_ID_VARIABLE, type AttemptsDeps, createAttempts } from "./attempts.ts";
export type { AttemptEvidence } from "./journal/evidence.ts";
export { type HostFacts, readHostFacts } from "./journal/host-facts.ts";
export { type AttemptJournal, createJournal, type JournalDeps } from "./journal/journal.ts";
export { type JournalLine, journalLineSchema } from "./journal/schema.ts";
export { journalLockOwner, localFactsOf } from "./local-facts.ts";
export type * from "./ports.ts";
export { createRunner } from "./runner.ts";
export { LIMIT_MARGIN_MS } from "./time-limit.ts";
