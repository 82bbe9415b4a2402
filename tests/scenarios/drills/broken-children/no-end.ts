/** Broken on purpose: reaches its stop point and simply ends well. */
import { REAL_CHILD, runChild } from "../../../../main/drills/retry-boundaries/child/run-child.ts";

runChild(process.argv.slice(2), { ...REAL_CHILD, endAtStop: (context) => context.end(0) });
