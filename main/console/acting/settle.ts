import type { Intent } from "../../../shared/api/index.ts";
import type { OperationPlan, SeenRecords } from "../../../shared/domain/operations/index.ts";
import type { Result } from "../../../shared/domain/problem.ts";
import { REQUEST_STALE_AFTER_MS } from "../../../shared/domain/request.ts";
import { loadDefinition, planSettleRequest, settleRequest } from "../../orchestrator/index.ts";
import type { Clock, RequestStore } from "../../store/index.ts";
import type { Workspace } from "../ports.ts";
import { evidenceLine, said } from "./intended.ts";
import type { ActionEnd, Actors, EvidenceFile } from "./ports.ts";

export type SettleIntent = Extract<Intent, { kind: "requestSettle" }>;

/** Who ends a claim, and on which files. */
export interface SettleOrder {
  readonly intent: SettleIntent;
  readonly actors: Actors;
  readonly evidence: readonly EvidenceFile[];
}

/** Ends a claim that no poller ends any more, on a person's word (orchestration §7.4, W-10). */
export interface Settling {
  plan(order: SettleOrder, signal?: AbortSignal): Promise<Result<OperationPlan>>;
  /** Codes: those of `settleRequest`. */
  settle(
    order: SettleOrder & { readonly seen: SeenRecords },
    signal: AbortSignal,
  ): Promise<Result<ActionEnd>>;
}

export interface SettlingDeps {
  readonly requests: RequestStore;
  readonly workspace: Pick<Workspace, "reads" | "readNetworks" | "profile">;
  /** Of this console's poller; the peer's own where there is none. Milliseconds. */
  readonly staleAfterMs: number | undefined;
  readonly clock: Clock;
}

export function createSettling({ requests, workspace, staleAfterMs, clock }: SettlingDeps): Settling {
  const deps = {
    requests,
    reads: workspace.reads,
    allowList: workspace.readNetworks,
    async readDefinition(path: string) {
      const loaded = await loadDefinition(path);
      return loaded.ok ? { ok: true as const, value: loaded.value.definition } : loaded;
    },
    profile: workspace.profile,
    clock,
  };
  const askedOf = ({ intent, actors, evidence }: SettleOrder) => ({
    requestId: intent.requestId,
    wish: {
      reason: said(intent.reason),
      evidenceRef: said(evidenceLine(intent.evidenceText, evidence)),
      stopConfirmedBy: said(intent.stopConfirmedBy),
      requestedBy: actors.requestedBy,
    },
    staleAfterMs: staleAfterMs ?? REQUEST_STALE_AFTER_MS,
  });
  return {
    plan: (order, signal) => planSettleRequest(deps, { ...askedOf(order), ...(signal && { signal }) }),
    async settle(order, signal) {
      const settled = await settleRequest(deps, { ...askedOf(order), seen: order.seen, signal });
      if (!settled.ok) return settled;
      const { requestId } = settled.value;
      // The code written into the request says what became of it, not of this operation: that is done.
      return { ok: true, value: { state: "done", detail: { requestId }, requestId } };
    },
  };
}
