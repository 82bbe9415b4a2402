import type { MissingAudit } from "../../../shared/domain/complete-audit.ts";
import type { OperationPlan } from "../../../shared/domain/operations/operation.ts";
import type { Result } from "../../../shared/domain/problem.ts";
import type { OperationRequest } from "../../../shared/domain/request.ts";
import type { FlowStore, RequestStore } from "../../store/index.ts";
import type { OrchestratorDeps } from "../deps.ts";
import type { PollerDeps } from "../poller/index.ts";
import type { RunNetworkInput } from "../ports.ts";
import type { RecoveryDeps } from "../recovery/deps.ts";
import type { ForceUnlockInput, RealignNodeInput, ResolveNodeInput } from "../recovery-ports.ts";

/** What `run-network` would be asked. */
export type RunIntent = Pick<
  RunNetworkInput,
  "definitionPath" | "businessKey" | "scheduledFor" | "resume" | "resumeRunId" | "rerunFrom" | "requestedBy"
>;

/** An operation somebody thinks of, in the words of its execution; a reason may still be missing. */
export type IntendedOperation =
  /** START, RESUME or RERUN_FROM: which of them is decided as the execution decides it. */
  | {
      readonly kind: "run-network";
      readonly input: RunIntent;
    }
  | {
      readonly kind: "cancel-run";
      readonly runId: string;
      readonly release: boolean;
      readonly reason: string;
      readonly requestedBy: string;
    }
  | {
      readonly kind: "archive-run";
      readonly runId: string;
      readonly profile: string;
      readonly networkId: string;
      readonly reason: string;
      readonly requestedBy: string;
    }
  | { readonly kind: "complete-audit"; readonly reported: MissingAudit; readonly reason: string }
  | { readonly kind: "resolve-node"; readonly runId: string; readonly wish: ResolveNodeInput["wish"] }
  | { readonly kind: "realign-node"; readonly runId: string; readonly wish: RealignNodeInput["wish"] }
  | {
      readonly kind: "force-unlock";
      readonly wish: ForceUnlockInput["wish"];
      readonly withoutAudit: boolean;
    }
  /** A request for the poller, before it is written; `id` and `revision` of the draft count for nothing. */
  | { readonly kind: "request"; readonly draft: OperationRequest }
  | { readonly kind: "request-cancel"; readonly requestId: string };

/** What a plan reads through. It never takes a lock and has no way to write. */
export interface PlansDeps
  extends Pick<OrchestratorDeps, "runner" | "orphans" | "clock" | "profile" | "io">,
    Pick<RecoveryDeps, "judgeOwner" | "askCloudRun"> {
  readonly store: PlanReads;
  /** Null where no request app is configured. */
  readonly requests: Pick<RequestStore, "read" | "listOpen"> | null;
  readonly allowList: PollerDeps["allowList"];
}
/** The reads of a plan: nothing here writes. */
export type PlanReads = Pick<
  FlowStore,
  | "findRunById"
  | "findRunByKey"
  | "findHold"
  | "findLock"
  | "listRuns"
  | "listInvocations"
  | "readRunGraph"
  | "downloadBundle"
>;

export interface Plans {
  /**
   * What the operation would do on the records as they are now. Writes nothing (operator-ux D13). A refusal that is
   * known is part of the plan; an error is what kept it from being made: `RUN_NOT_FOUND`, `NETWORK_VALIDATION_FAILED`,
   * the codes of the key, `REQUEST_NOT_FOUND`, `REQUESTS_NOT_CONFIGURED`, `STORE_*`.
   */
  plan(operation: IntendedOperation, signal?: AbortSignal): Promise<Result<OperationPlan>>;
}
