/** Execution contract `ksql-flow.execution/v1`: what orchestrator and job runner say to each other. */
export * from "./arguments.ts";
export * from "./capabilities.ts";
export * from "./config.ts";
export type { WrittenConfig, WrittenProfile } from "./config-schema.ts";
export * from "./execution-result.ts";
export * from "./exit-codes.ts";
export * from "./job-inspection.ts";
export * from "./job-lock.ts";
export * from "./operation-plan.ts";
export * from "./profile-description.ts";
export * from "./result-codes.ts";
export * from "./test-clock.ts";
