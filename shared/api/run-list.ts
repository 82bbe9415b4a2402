import { oc } from "@orpc/contract";
import { z } from "zod";
import { answer, identifier } from "./result.ts";
import { GRID_RUNS_MAX, ROWS_MAX, runGrid, runOrderAnswer, runQuery } from "./run-query.ts";
import { runRow } from "./runs.ts";

const recordId = z.string().regex(/^\d{1,20}$/);

/**
 * The Run list of any length: filtered and sorted here, off the page's thread (operator-ux §3.2). A page learns the
 * order once, as short ids, and fetches the rows it shows; what it shows then stays where it is.
 */
export const runListContract = {
  order: oc.input(runQuery).output(answer(runOrderAnswer)),
  /** The named rows; one that is gone is left out. */
  rows: oc
    .input(z.strictObject({ recordIds: z.array(recordId).max(ROWS_MAX).readonly() }))
    .output(answer(z.object({ rows: z.array(runRow).readonly() }))),
  /** Nodes of the last Runs of one network. */
  grid: oc
    .input(z.strictObject({ networkId: identifier, runs: z.number().int().min(1).max(GRID_RUNS_MAX) }))
    .output(answer(runGrid)),
};
