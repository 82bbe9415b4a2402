export { CONTROL_PIPE_VARIABLE } from "./control-pipe.ts";
export { createInspector } from "./inspector/index.ts";
export type { SystemInspector } from "./inspector/types.ts";
export type * from "./ports.ts";
export { createProcessManager, type ProcessManagerDeps } from "./process-manager.ts";
