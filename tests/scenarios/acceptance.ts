import { FILES } from "./tables/acceptance-files.ts";
import { REQUESTS } from "./tables/acceptance-requests.ts";
import type { AcceptanceRow } from "./tables/acceptance-row.ts";
import { RUNS } from "./tables/acceptance-runs.ts";

/** All 43, in their order. */
export const ACCEPTANCE: readonly AcceptanceRow[] = [...RUNS, ...REQUESTS, ...FILES];
