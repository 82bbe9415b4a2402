/** One resident per data folder and host, whatever account it runs as (decisions section 2). */
export { endpointName } from "./endpoint.ts";
export { type GuardOptions, type HostGuard, takeHostGuard } from "./guard.ts";
export type { ResidentFront, ResidentOwner } from "./record.ts";
export { ownerLine } from "./refusal.ts";
