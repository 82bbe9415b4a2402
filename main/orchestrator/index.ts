export { type IoFacts, type IoPath, type IoSettings, type NodeIo, resolveIo } from "./csv/index.ts";
export type { Delay, OrchestratorDeps } from "./deps.ts";
export { giveBack, withLockLeft } from "./give-back.ts";
export { createOrchestrator } from "./orchestrator.ts";
export { createPlans } from "./plans/index.ts";
export type * from "./plans/ports.ts";
export * from "./poller/index.ts";
export type * from "./ports.ts";
export { createRecovery, type RecoveryDeps } from "./recovery/index.ts";
export type * from "./recovery-ports.ts";
/** For whoever has read a Run's records already and wants them judged as `status` does. */
export { readStatus } from "./status.ts";
/** Need no store and no runner: a command that only reads files must not start anything. */
export { planDefinition, validateDefinition } from "./validate-and-plan.ts";
