export { createLoopback } from "./loopback.ts";
export type { FrontPort, Loopback, LoopbackDeps, ServedApi } from "./ports.ts";
