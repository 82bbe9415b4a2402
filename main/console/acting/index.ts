/** Everything that acts on records from the console: plans, checks, consent, and the book of what was done. */

export { type ActingDeps, createActing } from "./acting.ts";
export type { Approvals } from "./approvals.ts";
export type { ProveApprover } from "./consent.ts";
export { createEvidenceUploads, type EvidenceUploads } from "./evidence-uploads.ts";
export type {
  ActionFilter,
  ActionJournal,
  ActionLine,
  ActionPage,
  ChainCheck,
  RecordedAction,
} from "./journal/index.ts";
export { type OpenActingDeps, type OpenedActing, openActing } from "./open.ts";
export { createPlanner, type Planner, type PlannerDeps } from "./planner.ts";
export type { Acting, ActionEnd, ActionOrder, ActionSteps, Actors, EvidenceFile } from "./ports.ts";
export type { RecordedStart, StartRecord } from "./record-start.ts";
