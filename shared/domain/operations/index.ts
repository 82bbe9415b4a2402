/** What every operator action needs, does and leaves behind, one file an action (architecture §2, §4 "A click"). */
export * from "./close.ts";
export * from "./complete-audit.ts";
export * from "./force-unlock.ts";
export * from "./forecast.ts";
export * from "./job-unlock.ts";
export * from "./network-lock.ts";
export * from "./operation.ts";
export * from "./release.ts";
export * from "./request-cancel.ts";
export * from "./request-create.ts";
export * from "./request-settle.ts";
export * from "./resolve-node.ts";
export * from "./resume.ts";
export * from "./resume-facts.ts";
export * from "./seen.ts";
export * from "./start.ts";
export * from "./stop.ts";
