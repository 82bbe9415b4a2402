/** Broken on purpose: writes something else on standard output. */
import { REAL_CHILD, runChild } from "../../../../main/drills/retry-boundaries/child/run-child.ts";

process.stdout.write("hello\n");
runChild(process.argv.slice(2), REAL_CHILD);
