/** Broken on purpose: in case B it updates the ledger first, and says so. */
import { REAL_CHILD, runChild } from "../../../../main/drills/retry-boundaries/child/run-child.ts";

runChild(process.argv.slice(2), {
  ...REAL_CHILD,
  orderOf: (steps, { args }) =>
    args.case === "B" ? [...steps.slice(0, 1), ...steps.slice(5), ...steps.slice(1, 5)] : steps,
});
