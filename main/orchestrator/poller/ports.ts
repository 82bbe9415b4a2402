import type { NetworkDefinition } from "../../../shared/domain/index.ts";
import type { Problem, Result } from "../../../shared/domain/problem.ts";
import type { Clock, FlowReads, RequestStore } from "../../store/index.ts";
import type { Delay } from "../deps.ts";
import type { Orchestrator } from "../ports.ts";
import type { Recovery } from "../recovery-ports.ts";

/** A network requests may name (orchestration section 7.7). */
export interface AllowedNetwork {
  readonly networkId: string;
  /** Absolute. */
  readonly definitionPath: string;
  readonly appStart: boolean;
}

/** Something beside the fate of a request that whoever watches the poller has to know (orchestration sections 7.1 to 7.4). */
export interface PollWarning {
  readonly code:
    | "REQUEST_RECORD_UNIDENTIFIABLE"
    | "CANCEL_FINALIZE_CONFLICT"
    | "CLAIM_HEARTBEAT_FAILED"
    | "CLAIM_UNSETTLED"
    | "RESULT_STATE_MISMATCH"
    | "RESULT_FINALIZE_ABANDONED"
    | "STALE_STATUS_UNAVAILABLE"
    | "REQUEST_FAILED";
  readonly requestId: string | null;
  readonly cause: Problem | null;
}

export interface PollerDeps {
  readonly requests: RequestStore;
  readonly reads: Pick<
    FlowReads,
    "findRunById" | "findRunByKey" | "findHold" | "findLock" | "listInvocations"
  >;
  readonly orchestrator: Pick<Orchestrator, "runNetwork">;
  readonly recovery: Pick<Recovery, "cancelRun" | "archiveRun">;
  /** As it stands now. Throws what its reading throws. */
  readonly allowList: () => Promise<readonly AllowedNetwork[]>;
  readonly readDefinition: (path: string) => Promise<Result<NetworkDefinition, readonly Problem[]>>;
  readonly profile: string;
  readonly host: string;
  readonly servicePrincipal: string;
  readonly clock: Clock;
  readonly delay: Delay;
  /** Between two signs of life of a claim, milliseconds. */
  readonly heartbeatMs: number;
  /** Silence after which a claim may be stale, milliseconds. */
  readonly staleAfterMs: number;
  readonly warn: (warning: PollWarning) => void;
}

/** What one cycle did (orchestration section 7.1). */
export interface PollSummary {
  readonly requested: number;
  readonly claimed: number;
  readonly completed: number;
  readonly cancelled: number;
  readonly invalid: number;
  readonly stale: number;
  readonly skipped: number;
}

export interface Poller {
  /** One cycle over everything that is open, one request at a time. Throws only when the list cannot be read. */
  pollOnce(signal?: AbortSignal): Promise<PollSummary>;
}
