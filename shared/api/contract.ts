import type { ContractRouterClient } from "@orpc/contract";
import { liveContract } from "./live.ts";
import { networksContract } from "./networks.ts";
import { operationsContract } from "./operations.ts";
import { runsContract } from "./runs.ts";
import { startContract } from "./start.ts";
import { runListContract } from "./run-list.ts";
import { runPartsContract } from "./run-parts.ts";
import { workspaceContract } from "./workspace.ts";

/** The console API. What is not in here cannot be called: the contract is the allow list (decisions §1). */
export const contract = {
  workspace: workspaceContract,
  networks: networksContract,
  runs: runsContract,
  start: startContract,
  operations: operationsContract,
  live: liveContract,
  runList: runListContract,
  runParts: runPartsContract,
  settings: settingsContract,
};

/** What a renderer calls. */
export type ConsoleApi = ContractRouterClient<typeof contract>;
