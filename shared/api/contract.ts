import type { ContractRouterClient } from "@orpc/contract";
import { actingContract } from "./acting.ts";
import { approvalsContract } from "./approvals.ts";
import { attentionContract } from "./attention.ts";
import { auditContract } from "./audit.ts";
import { bundleContract } from "./bundle.ts";
import { evidenceContract } from "./evidence.ts";
import { jobLocksContract } from "./job-locks.ts";
import { liveContract } from "./live.ts";
import { locksContract } from "./locks.ts";
import { logsContract } from "./logs.ts";
import { networksContract } from "./networks.ts";
import { notesContract } from "./notes.ts";
import { operationsContract } from "./operations.ts";
import { paceContract } from "./pace.ts";
import { processesContract } from "./processes.ts";
import { requestsContract } from "./requests.ts";
import { runListContract } from "./run-list.ts";
import { runPartsContract } from "./run-parts.ts";
import { runsContract } from "./runs.ts";
import { savedFilesContract } from "./saved-files.ts";
import { settingsContract } from "./settings.ts";
import { startContract } from "./start.ts";
import { unknownContract } from "./unknown.ts";
import { workspaceContract } from "./workspace.ts";

/** The console API. What is not in here cannot be called: the contract is the allow list (decisions §1). */
export const contract = {
  workspace: workspaceContract,
  networks: networksContract,
  runs: runsContract,
  runList: runListContract,
  runParts: runPartsContract,
  pace: paceContract,
  settings: settingsContract,
  start: startContract,
  operations: operationsContract,
  live: liveContract,
  attention: attentionContract,
  audit: auditContract,
  files: savedFilesContract,
  notes: notesContract,
  bundle: bundleContract,
  unknown: unknownContract,
  locks: locksContract,
  jobLocks: jobLocksContract,
  logs: logsContract,
  processes: processesContract,
  requests: requestsContract,
  acting: actingContract,
  approvals: approvalsContract,
  evidence: evidenceContract,
};

/** What a renderer calls. */
export type ConsoleApi = ContractRouterClient<typeof contract>;
