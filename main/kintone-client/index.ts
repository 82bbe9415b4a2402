/** The way to a kintone: requests, answers, unknown outcomes, limits (decisions §4). For store and job-runner. */

export * from "./answer.ts";
export { SEARCH_ABORTED } from "./classify.ts";
export * from "./errors.ts";
export * from "./limits.ts";
export * from "./operations.ts";
export * from "./reads.ts";
export { type ServerClockDeps, watchServerClock } from "./server-clock.ts";
export type { TokenMap } from "./tokens.ts";
export {
  createKintoneTransport,
  type KintoneTransport,
  type SendOptions,
  type TransportConfig,
} from "./transport.ts";
