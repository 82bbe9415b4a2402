export { loadDefinition } from "../definition-file.ts";
export { createFacts, type FactsDeps } from "./facts.ts";
export { createPoller } from "./poller.ts";
export type * from "./ports.ts";
export { type PollerHealth, type ResidentPoller, startResidentPoller } from "./resident.ts";
export * from "./settle.ts";
