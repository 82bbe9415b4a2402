/** The child program of the experiment: one order of work, one stop point, one process (retry-boundaries §3). */
import { REAL_CHILD, runChild } from "./run-child.ts";

runChild(process.argv.slice(2), REAL_CHILD);
