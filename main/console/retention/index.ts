/** What a data folder keeps, for how long, and what never goes (decisions section 3). */
export { type Retention, startRetention } from "./daily.ts";
export { type Pruned, pruneOnce, type RetentionDeps } from "./retention.ts";
