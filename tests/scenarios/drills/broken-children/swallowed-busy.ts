/** Broken on purpose: takes a refusal for success. */
import { REAL_CHILD, runChild } from "../../../../main/drills/retry-boundaries/child/run-child.ts";

runChild(process.argv.slice(2), { ...REAL_CHILD, onBusy: (context) => context.end(0) });
