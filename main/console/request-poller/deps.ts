import { loadDefinition, type PollerDeps, type PollWarning } from "../../orchestrator/index.ts";
import type { Clock, RequestStore } from "../../store/index.ts";
import { sleep } from "../clock.ts";
import type { Workspace } from "../ports.ts";
import type { PollOptions } from "./options.ts";

export interface WorkspacePollerOptions {
  readonly workspace: Workspace;
  readonly requests: RequestStore;
  readonly clock: Clock;
  readonly options: PollOptions;
  /** Runs a network; a front follows what it runs. */
  readonly runNetwork: PollerDeps["orchestrator"]["runNetwork"];
  /** Told beside the program log. */
  readonly warned?: (warning: PollWarning) => void;
}

/** What a poller of a workspace acts through. Nothing is asked before the connection was checked. */
export function workspacePollerDeps(parts: WorkspacePollerOptions): PollerDeps {
  const { workspace, requests, clock, options, runNetwork } = parts;
  return {
    requests: {
      ...requests,
      async listOpen(limit, signal) {
        await workspace.ready(signal);
        return requests.listOpen(limit, signal);
      },
    },
    reads: workspace.reads,
    orchestrator: { runNetwork },
    recovery: workspace.recovery,
    allowList: workspace.readNetworks,
    async readDefinition(path) {
      const loaded = await loadDefinition(path);
      return loaded.ok ? { ok: true, value: loaded.value.definition } : loaded;
    },
    profile: workspace.profile,
    host: workspace.host,
    servicePrincipal: workspace.servicePrincipal,
    clock,
    delay: sleep,
    heartbeatMs: options.heartbeatMs,
    staleAfterMs: options.staleAfterMs,
    warn(warning) {
      const { code, requestId, cause } = warning;
      workspace.log.write("warn", "poller", code, { requestId, cause: cause?.code, message: cause?.message });
      parts.warned?.(warning);
    },
  };
}
