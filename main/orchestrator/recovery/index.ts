import type { Recovery } from "../recovery-ports.ts";
import { archiveRun } from "./archive-run.ts";
import { cancelRun } from "./cancel-run.ts";
import { completeAudit } from "./complete-audit.ts";
import type { RecoveryDeps } from "./deps.ts";
import { forceUnlock } from "./force-unlock.ts";
import { realignNode } from "./realign-node.ts";
import { recordJobUnlock } from "./record-job-unlock.ts";
import { resolveNode } from "./resolve-node.ts";

export type { RecoveryDeps } from "./deps.ts";

/** The operations of people beside `run-network`, one implementation for all fronts (architecture section 4). */
export function createRecovery(deps: RecoveryDeps): Recovery {
  return {
    cancelRun: (input) => cancelRun(deps, input),
    archiveRun: (input) => archiveRun(deps, input),
    completeAudit: (input) => completeAudit(deps, input),
    forceUnlock: (input) => forceUnlock(deps, input),
    resolveNode: (input) => resolveNode(deps, input),
    realignNode: (input) => realignNode(deps, input),
    recordJobUnlock: (input) => recordJobUnlock(deps, input),
  };
}
