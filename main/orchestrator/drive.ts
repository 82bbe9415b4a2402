import type { NetworkDefinition } from "../../shared/domain/index.ts";
import type { Baselines, IoRoot } from "./csv/index.ts";
import type { OrchestratorDeps } from "./deps.ts";
import type { Held } from "./held.ts";
import type { Ledger } from "./ledger.ts";
import type { RunNetworkInput, RunNetworkResult } from "./ports.ts";
import { runScheduler } from "./scheduler.ts";
import { createWalk, type WalkScope } from "./walk.ts";
import type { UnpackedBundle } from "./workspace-folder.ts";

/** A Run whose records are ready for its walk. */
export interface ReadyRun {
  readonly outcome: "NEW" | "RESUME";
  /** The stored definition. */
  readonly definition: NetworkDefinition;
  /** Stable topological order (orchestration section 1.3). */
  readonly order: readonly string[];
  readonly ledger: Ledger;
  readonly bundle: UnpackedBundle;
  readonly scope?: WalkScope;
  readonly retryBrakeNodeIds: readonly string[];
  /** Null when no node of the network uses files. */
  readonly io: IoRoot | null;
  readonly baselines: Baselines;
}

/** Walks a Run to the end of this Invocation and tells what came of it (orchestration sections 4.1 and 9.2). Removes the bundle. */
export async function drive(
  deps: OrchestratorDeps,
  held: Held,
  ready: ReadyRun,
  { signal, onEvent }: Pick<RunNetworkInput, "signal" | "onEvent">,
): Promise<RunNetworkResult> {
  const { ledger, bundle, definition, order, scope, outcome, retryBrakeNodeIds, io, baselines } = ready;
  const { runId, businessKey, networkId } = ledger.run;
  const emit = tell(onEvent);
  emit({ kind: outcome === "NEW" ? "run-created" : "run-resumed", runId, networkId, businessKey });
  const { leaseDurationSec, heartbeatIntervalSec } = definition.networkLock;
  const walk = createWalk({
    deps,
    session: held.session,
    drainMs: leaseDurationSec * 1000,
    bundle,
    definition,
    order,
    ledger,
    spawnMarginMs: heartbeatIntervalSec * 1000,
    emit,
    io,
    baselines,
    ...(scope === undefined ? {} : { scope }),
  });
  try {
    const end = await runScheduler(walk, signal);
    if (end.aggregateStatus !== null) emit({ kind: "run-ended", runId, status: end.aggregateStatus });
    return {
      outcome,
      runId,
      invocationId: held.invocationId,
      aggregateStatus: end.aggregateStatus,
      invocationResultCode: end.resultCode,
      retryBrakeNodeIds,
      blockedRunIds: [],
      problem: end.problem,
      networkId,
      nodes: walk.unfinished(),
    };
  } finally {
    await bundle.remove();
  }
}

/** Whoever listens must not bring down what it listens to, a child may be running; the records tell it all too. */
export function tell<T>(hears: ((news: T) => void) | undefined): (news: T) => void {
  return (news) => {
    try {
      hears?.(news);
    } catch {
      // The listener's own fault.
    }
  };
}
