/** Fronts speak of problems, and enter no other room of `shared/` (architecture §3). */
export { FlowError, type Problem } from "../domain/problem.ts";
export * from "./client.ts";
export * from "./contract.ts";
export * from "./live.ts";
export * from "./merge.ts";
export * from "./networks.ts";
export * from "./operations.ts";
export * from "./port.ts";
export * from "./result.ts";
export * from "./runs.ts";
export * from "./start.ts";
export * from "./workspace.ts";
