/** Broken on purpose: case D, stage 2 writes the effect twice in its transaction (RB-A4). */
import { REAL_CHILD, runChild } from "../../../../main/drills/retry-boundaries/child/run-child.ts";

runChild(process.argv.slice(2), {
  ...REAL_CHILD,
  orderOf: (steps, { args }) =>
    args.case === "D" && args.stage === "2"
      ? steps.flatMap((step) => (step === "insert effect" ? [step, step] : [step]))
      : steps,
});
