/** Logs of attempts: where they lie, how they are kept, and reading them whatever their size. */

export { createLogKeeper } from "./keep.ts";
export { createLogStore, type LogSearch, type LogStore } from "./log-store.ts";
export { createLogPlaces } from "./places.ts";
export { createRunnerLogs, type RunnerLogs } from "./runner-logs.ts";
