export { SUITES } from "./retry-boundaries/cases/index.ts";
export type { JournalMode, SuiteName } from "./retry-boundaries/cases/model.ts";
export type { RunOutcome } from "./retry-boundaries/controller/run.ts";
export type { StatusLine } from "./retry-boundaries/documents/observation-schema.ts";
export type { Results, Verification } from "./retry-boundaries/documents/results-schema.ts";
export {
  type RetryBoundariesDeps,
  type RetryBoundariesOptions,
  runRetryBoundaries,
  verifyRetryBoundaries,
} from "./retry-boundaries/index.ts";
