import type { Command } from "./command.ts";
import { archiveRun } from "./commands/archive-run.ts";
import { cancelRun } from "./commands/cancel-run.ts";
import { completeAudit } from "./commands/complete-audit.ts";
import { completionOf } from "./commands/completion.ts";
import { drillRetryBoundaries } from "./commands/drill-retry-boundaries.ts";
import { drillRetryBoundariesVerify } from "./commands/drill-retry-boundaries-verify.ts";
import { forceUnlockNetwork } from "./commands/force-unlock-network.ts";
import { inbox } from "./commands/inbox.ts";
import { jobExplain } from "./commands/job-explain.ts";
import { jobForceUnlock, jobInspectLock } from "./commands/job-locks.ts";
import { jobRun, jobValidate } from "./commands/job-run.ts";
import { localKintone } from "./commands/local-kintone.ts";
import { LOCAL_KINTONE_ADMIN } from "./commands/local-kintone-admin/index.ts";
import { plan } from "./commands/plan.ts";
import { pollRequests } from "./commands/poll-requests.ts";
import { provision } from "./commands/provision.ts";
import { realignNode } from "./commands/realign-node.ts";
import { recordJobUnlock } from "./commands/record-job-unlock.ts";
import { resolveNode } from "./commands/resolve-node.ts";
import { runNetwork } from "./commands/run-network.ts";
import { serve } from "./commands/serve.ts";
import { settleRequest } from "./commands/settle-request.ts";
import { start } from "./commands/start.ts";
import { status } from "./commands/status.ts";
import { validate } from "./commands/validate.ts";

/** Every command there is; help, parsing and dispatch read this table. */
export const COMMANDS: readonly Command[] = [
  validate,
  plan,
  provision,
  runNetwork,
  pollRequests,
  status,
  inbox,
  cancelRun,
  archiveRun,
  completeAudit,
  resolveNode,
  realignNode,
  forceUnlockNetwork,
  recordJobUnlock,
  settleRequest,
  jobRun,
  jobValidate,
  jobExplain,
  jobInspectLock,
  jobForceUnlock,
  localKintone,
  ...LOCAL_KINTONE_ADMIN,
  start,
  serve,
  drillRetryBoundaries,
  drillRetryBoundariesVerify,
  completionOf(() => COMMANDS.map(({ spec }) => spec)),
];
