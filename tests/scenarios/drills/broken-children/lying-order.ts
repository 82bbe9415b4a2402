/** Broken on purpose: in case B it updates the ledger first, but reports the points of the plan. */
import { REAL_CHILD, runChild } from "../../../../main/drills/retry-boundaries/child/run-child.ts";

const swapped = { "insert processed": "insert effect", "insert effect": "insert processed" } as const;

runChild(process.argv.slice(2), {
  ...REAL_CHILD,
  orderOf: (steps, { args }) =>
    args.case !== "B"
      ? steps
      : steps.map((step) => (step === "insert processed" || step === "insert effect" ? swapped[step] : step)),
});
