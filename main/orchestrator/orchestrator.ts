import type { OrchestratorDeps } from "./deps.ts";
import type { Orchestrator } from "./ports.ts";
import { runNetwork } from "./run-network.ts";
import { readStatus } from "./status.ts";
import { planDefinition, validateDefinition } from "./validate-and-plan.ts";

/** The one orchestrator behind the command line, the poller and the console (architecture section 4). */
export function createOrchestrator(deps: OrchestratorDeps): Orchestrator {
  return {
    validate: (definitionPath) => validateDefinition(definitionPath, deps.profile),
    plan: (definitionPath, keys) => planDefinition(definitionPath, keys, deps.profile),
    runNetwork: (input) => runNetwork(deps, input),
    status: (input) => readStatus({ reads: deps.store, bundles: deps.store, clock: deps.clock }, input),
  };
}
