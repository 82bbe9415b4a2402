import { FlowError } from "../../../shared/domain/problem.ts";
import { isStaleClaim, type OperationRequest, type ParsedRequest } from "../../../shared/domain/request.ts";
import { closeEnd, holdEnd, runNetworkEnd } from "../../../shared/domain/request-end.ts";
import {
  type RequestEnd,
  type RequestOperation,
  reviewRunRequest,
  reviewStaleClaim,
  reviewStart,
} from "../../../shared/domain/request-review.ts";
import { isoNow } from "../deps.ts";
import { createClaim } from "./claim.ts";
import { createFacts } from "./facts.ts";
import type { Poller, PollerDeps, PollSummary, PollWarning } from "./ports.ts";

/** The most open requests one cycle looks at (orchestration section 7.1). */
const LIMIT = 500;

/** Takes over a Run that was started by request, so that a STOP of it can be carried out meanwhile. */
export type Background = (work: Promise<void>) => void;

type Count = { -readonly [K in keyof PollSummary]: PollSummary[K] };

/**
 * Carries out what people asked for in the request app (orchestration section 7), with the same operations every other front
 * uses. One record that cannot be handled never stops the others (W-10).
 */
export function createPoller(deps: PollerDeps, background?: Background): Poller {
  const turn = createTurn(deps, background);
  return {
    async pollOnce(signal) {
      const open = await deps.requests.listOpen(LIMIT, signal);
      const count: Count = {
        requested: 0,
        claimed: 0,
        completed: 0,
        cancelled: 0,
        invalid: 0,
        stale: 0,
        skipped: 0,
      };
      for (const parsed of [...open.filter(isAccepted), ...open.filter((each) => !isAccepted(each))]) {
        if (signal?.aborted === true) break;
        await turn(parsed, count, signal);
      }
      return count;
    },
  };
}

const isAccepted = (parsed: ParsedRequest): boolean =>
  (parsed.valid ? parsed.request.state : parsed.identity?.state) === "ACCEPTED";

function createTurn(deps: PollerDeps, background: Background | undefined) {
  const facts = createFacts(deps);
  const warn = (
    code: PollWarning["code"],
    requestId: string | null,
    cause: PollWarning["cause"] = null,
  ): void => deps.warn({ code, requestId, cause });

  async function invalid(parsed: Extract<ParsedRequest, { valid: false }>, count: Count): Promise<void> {
    const { identity, issues, cancelRequested } = parsed;
    if (identity === null) {
      count.skipped += 1;
      return warn("REQUEST_RECORD_UNIDENTIFIABLE", null);
    }
    if (identity.state !== "REQUESTED") return;
    count.invalid += 1;
    const at = { recordId: identity.id, revision: identity.revision };
    if (cancelRequested) return cancel(at, count);
    const why = issues.map(({ code, field }) => `${field}: ${code}`).join("; ");
    await deps.requests.end(at, { state: "REJECTED", resultCode: "REQUEST_INVALID", resultMessage: why });
  }

  async function cancel(at: { recordId: string; revision: number }, count: Count): Promise<void> {
    const ended = await deps.requests.end(at, {
      state: "CANCELLED",
      resultCode: "CANCELLED_BY_REQUESTER",
      resultMessage: "Taken back before it was taken up; nothing was done.",
    });
    if (ended.kind === "applied") count.cancelled += 1;
    else warn("CANCEL_FINALIZE_CONFLICT", at.recordId, ended.problem);
  }

  async function stale(request: OperationRequest, count: Count, signal?: AbortSignal): Promise<void> {
    const silent = isStaleClaim(request.claim?.heartbeatAt ?? "", deps.clock.nowMs(), deps.staleAfterMs);
    if (!silent) return;
    const lookup =
      request.type === "START" ? await facts.runOfStart(request, signal) : await facts.runOf(request, signal);
    const verdict = reviewStaleClaim(lookup);
    if (verdict.kind === "unavailable") return warn("STALE_STATUS_UNAVAILABLE", request.id);
    if (verdict.kind === "leave") return;
    const { code, message } = verdict.end;
    const at = { recordId: request.id, revision: request.revision };
    const ended = await deps.requests.end(at, {
      state: "REJECTED",
      resultCode: code,
      resultMessage: message,
    });
    if (ended.kind === "applied") count.stale += 1;
  }

  async function carryOut(request: OperationRequest, count: Count, signal?: AbortSignal): Promise<void> {
    count.requested += 1;
    const at = { recordId: request.id, revision: request.revision };
    if (request.cancelRequested) return cancel(at, count);
    const claimed = await deps.requests.claim(at, { host: deps.host, at: isoNow(deps.clock) }, signal);
    if (claimed.kind === "unsettled") warn("CLAIM_UNSETTLED", request.id, claimed.problem);
    if (claimed.kind !== "applied") return;
    count.claimed += 1;
    const claim = createClaim(deps, request.id, claimed.ref);
    const work = async (): Promise<void> => {
      if (await claim.end(await claim.alive(() => reviewAndRun(request, signal)))) count.completed += 1;
    };
    const long = request.type === "START" || request.type === "RERUN";
    if (long && background !== undefined) background(work());
    else await work();
  }

  async function reviewAndRun(request: OperationRequest, signal?: AbortSignal): Promise<RequestEnd> {
    try {
      const review =
        request.type === "START"
          ? reviewStart(request, await facts.startable(request.networkId))
          : reviewRunRequest(request, await facts.runOf(request, signal));
      if (review.kind === "end") return review.end;
      return await operate(review.operation, request, review.requestedBy, signal);
    } catch (error) {
      const message = error instanceof FlowError ? `${error.code}: ${error.problem.message}` : String(error);
      return { state: "REJECTED", code: "CHILD_EXECUTION_FAILED", message };
    }
  }

  async function operate(
    operation: RequestOperation,
    { reason }: OperationRequest,
    requestedBy: string,
    signal?: AbortSignal,
  ): Promise<RequestEnd> {
    const abort = signal === undefined ? {} : { signal };
    switch (operation.kind) {
      case "stop":
      case "release": {
        const { runId, kind } = operation;
        const wish = { runId, release: kind === "release", reason, requestedBy, seen: null, ...abort };
        const outcome = await deps.recovery.cancelRun(wish);
        return holdEnd(kind, outcome.ok ? null : outcome.error);
      }
      case "close": {
        const { networkId, runId } = operation;
        const { profile, servicePrincipal } = deps;
        const wish = {
          profile,
          networkId,
          runId,
          reason,
          requestedBy,
          servicePrincipal,
          seen: null,
          ...abort,
        };
        return closeEnd(await deps.recovery.archiveRun(wish));
      }
      case "rerun":
      case "start":
        return runNetwork(operation, reason, requestedBy, abort);
    }
  }

  async function runNetwork(
    operation: Extract<RequestOperation, { kind: "rerun" | "start" }>,
    reason: string,
    requestedBy: string,
    abort: { readonly signal?: AbortSignal },
  ): Promise<RequestEnd> {
    const entry = await facts.definitionOf(operation.networkId);
    if (entry === null) {
      return { state: "REJECTED", code: "NETWORK_NOT_ALLOWED", message: "detail=NOT_IN_ALLOWLIST" };
    }
    const common = { definitionPath: entry.definitionPath, requestedBy, reason, ...abort };
    const input =
      operation.kind === "rerun"
        ? {
            ...common,
            resumeRunId: operation.runId,
            ...(operation.fromNode === null ? {} : { rerunFrom: operation.fromNode }),
          }
        : {
            ...common,
            ...(operation.businessKey === null ? {} : { businessKey: operation.businessKey }),
            ...(operation.scheduledFor === null ? {} : { scheduledFor: operation.scheduledFor }),
          };
    return runNetworkEnd(operation.kind, await deps.orchestrator.runNetwork(input));
  }

  return async (parsed: ParsedRequest, count: Count, signal?: AbortSignal): Promise<void> => {
    try {
      if (!parsed.valid) await invalid(parsed, count);
      else if (parsed.request.state === "ACCEPTED") await stale(parsed.request, count, signal);
      else await carryOut(parsed.request, count, signal);
    } catch (error) {
      const id = parsed.valid ? parsed.request.id : (parsed.identity?.id ?? null);
      warn("REQUEST_FAILED", id, error instanceof FlowError ? error.problem : null);
    }
  };
}
