/** Broken on purpose: says 86, but closes its connection first, as a binding with an exit hook would. */
import { REAL_CHILD, runChild } from "../../../../main/drills/retry-boundaries/child/run-child.ts";

runChild(process.argv.slice(2), { ...REAL_CHILD, endAtStop: (context) => context.end(86) });
