/** Broken on purpose: leaves a binding's usual busy time-out of 5,000 ms in place (RB-A5). */
import { ACTIONS, REAL_CHILD, runChild } from "../../../../main/drills/retry-boundaries/child/run-child.ts";

runChild(process.argv.slice(2), {
  ...REAL_CHILD,
  actions: {
    ...ACTIONS,
    "BEGIN IMMEDIATE": (context) => {
      context.database().exec("PRAGMA busy_timeout=5000");
      ACTIONS["BEGIN IMMEDIATE"](context);
    },
  },
});
