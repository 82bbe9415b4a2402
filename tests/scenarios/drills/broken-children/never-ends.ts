/** Broken on purpose: hangs at its stop point. */
import { REAL_CHILD, runChild } from "../../../../main/drills/retry-boundaries/child/run-child.ts";

const forever = new Int32Array(new SharedArrayBuffer(4));
runChild(process.argv.slice(2), {
  ...REAL_CHILD,
  endAtStop: (context) => {
    Atomics.wait(forever, 0, 0);
    return context.end(1);
  },
});
