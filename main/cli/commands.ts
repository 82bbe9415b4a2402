import type { Command } from "./command.ts";
import { drillRetryBoundaries } from "./commands/drill-retry-boundaries.ts";
import { drillRetryBoundariesVerify } from "./commands/drill-retry-boundaries-verify.ts";
import { jobExplain } from "./commands/job-explain.ts";
import { jobForceUnlock, jobInspectLock } from "./commands/job-locks.ts";
import { jobRun, jobValidate } from "./commands/job-run.ts";
import { localKintone } from "./commands/local-kintone.ts";
import { LOCAL_KINTONE_ADMIN } from "./commands/local-kintone-admin/index.ts";
import { plan } from "./commands/plan.ts";
import { provision } from "./commands/provision.ts";
import { runNetwork } from "./commands/run-network.ts";
import { start } from "./commands/start.ts";
import { status } from "./commands/status.ts";
import { validate } from "./commands/validate.ts";

/** Every command there is; help, parsing and dispatch read this table. */
export const COMMANDS: readonly Command[] = [
  validate,
  plan,
  provision,
  runNetwork,
  status,
  jobRun,
  jobValidate,
  jobExplain,
  jobInspectLock,
  jobForceUnlock,
  localKintone,
  ...LOCAL_KINTONE_ADMIN,
  start,
  drillRetryBoundaries,
  drillRetryBoundariesVerify,
];
