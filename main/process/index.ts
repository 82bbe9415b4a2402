export { systemBootId } from "./boot-id.ts";
export { CONTROL_PIPE_VARIABLE } from "./control-pipe.ts";
export { createInspector } from "./inspector/index.ts";
export type { SystemInspector } from "./inspector/types.ts";
export { livenessVerdict, type ProcessReading } from "./inspector/verdict.ts";
export { type RetryOptions, removeLocked, renameLocked, retryWhileLocked } from "./locked-files.ts";
export { OUTPUT_LIMIT, type OutputLimit, shortenOutput } from "./output-limit.ts";
export type * from "./ports.ts";
export { createProcessManager, type ProcessManagerDeps } from "./process-manager.ts";
