import type { RecordRef } from "../../../shared/domain/model.ts";
import { isStaleClaim, type OperationRequest, type ParsedRequest } from "../../../shared/domain/request.ts";
import { reviewStaleClaim } from "../../../shared/domain/request-review.ts";
import { isoNow } from "../deps.ts";
import { createClaim, problemOf } from "./claim.ts";
import { createFacts } from "./facts.ts";
import { reviewAndRun } from "./operate.ts";
import type { Poller, PollerDeps, PollSummary, PollWarning } from "./ports.ts";
import type { UnderWay } from "./under-way.ts";

/** The most open requests one cycle looks at (orchestration section 7.1). */
const LIMIT = 500;

type Count = { -readonly [K in keyof PollSummary]: PollSummary[K] };

/**
 * Carries out what people asked for in the request app (orchestration section 7). One record that cannot be handled
 * never stops the others (W-10). With `underWay` what needs the Network lock goes on beside the cycles, so that a STOP
 * is heard meanwhile; one at a time per network, the next stays REQUESTED until the lock is free again.
 */
export function createPoller(deps: PollerDeps, underWay?: UnderWay): Poller {
  const turn = createTurn(deps, underWay);
  return {
    async pollOnce(signal) {
      const open = await deps.requests.listOpen(LIMIT, signal);
      // Nothing is taken that could not be carried out afterwards.
      if (open.some(isTakeable)) await deps.allowList();
      const count: Count = {
        requested: 0,
        claimed: 0,
        completed: 0,
        cancelled: 0,
        invalid: 0,
        stale: 0,
        skipped: 0,
      };
      const accepted = open.filter(isAccepted);
      for (const parsed of [...accepted, ...open.filter((each) => !isAccepted(each))]) {
        if (signal?.aborted === true) break;
        await turn(parsed, count, signal);
      }
      return count;
    },
  };
}

const isAccepted = (parsed: ParsedRequest): boolean =>
  (parsed.valid ? parsed.request.state : parsed.identity?.state) === "ACCEPTED";
const isTakeable = (parsed: ParsedRequest): boolean =>
  parsed.valid && parsed.request.state === "REQUESTED" && !parsed.request.cancelRequested;

/** What takes the Network lock, and would be refused while another of this poller has it. */
const needsLock = ({ type }: OperationRequest): boolean =>
  type === "START" || type === "RERUN" || type === "CLOSE";
const refOf = ({ id, revision }: { readonly id: string; readonly revision: number }): RecordRef => ({
  recordId: id,
  revision,
});

function createTurn(deps: PollerDeps, underWay: UnderWay | undefined) {
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
    // Taken by somebody and broken since: whoever took it writes its end, and nobody else knows one.
    if (identity.state !== "REQUESTED") return;
    count.requested += 1;
    count.invalid += 1;
    if (cancelRequested) return cancel(refOf(identity), count);
    const why = issues.map(({ code, field }) => `${field}: ${code}`).join("; ");
    const ending = { state: "REJECTED", resultCode: "REQUEST_INVALID", resultMessage: why } as const;
    const ended = await deps.requests.end(refOf(identity), ending);
    if (ended.kind === "refused") warn("REQUEST_FAILED", identity.id, ended.problem);
  }

  async function cancel(at: RecordRef, count: Count): Promise<void> {
    const ended = await deps.requests.end(at, {
      state: "CANCELLED",
      resultCode: "CANCELLED_BY_REQUESTER",
      resultMessage: "Taken back before it was taken up; nothing was done.",
    });
    if (ended.kind === "applied") count.cancelled += 1;
    else warn("CANCEL_FINALIZE_CONFLICT", at.recordId, ended.problem);
  }

  async function stale(request: OperationRequest, count: Count): Promise<void> {
    // What goes on here is not silent, whatever its record says after an outage.
    if (underWay?.has(request.id) === true) return;
    if (!isStaleClaim(request.claim?.heartbeatAt ?? "", deps.clock.nowMs(), deps.staleAfterMs)) return;
    const lookup = request.type === "START" ? await facts.runOfStart(request) : await facts.runOf(request);
    const verdict = reviewStaleClaim(lookup);
    if (verdict.kind === "unavailable") return warn("STALE_STATUS_UNAVAILABLE", request.id);
    if (verdict.kind === "leave") return;
    const { code, message } = verdict.end;
    const ending = { state: "REJECTED", resultCode: code, resultMessage: message } as const;
    const ended = await deps.requests.end(refOf(request), ending);
    if (ended.kind === "applied") count.stale += 1;
    if (ended.kind === "refused") warn("REQUEST_FAILED", request.id, ended.problem);
  }

  async function carryOut(request: OperationRequest, count: Count, signal?: AbortSignal): Promise<void> {
    count.requested += 1;
    if (request.cancelRequested) return cancel(refOf(request), count);
    const beside = underWay !== undefined && needsLock(request) ? underWay : null;
    const networkId = beside === null ? null : await facts.networkOf(request);
    if (networkId !== null && beside?.holds(networkId) === true) return;
    // Not cut short: a claim whose answer nobody waited for is one that nobody carries out.
    const claimed = await deps.requests.claim(refOf(request), { host: deps.host, at: isoNow(deps.clock) });
    if (claimed.kind === "unsettled") warn("CLAIM_UNSETTLED", request.id, claimed.problem);
    if (claimed.kind === "refused") warn("REQUEST_FAILED", request.id, claimed.problem);
    if (claimed.kind !== "applied") return;
    count.claimed += 1;
    const claim = createClaim(deps, request.id, claimed.ref);
    const work = async (): Promise<void> => {
      if (await claim.end(await claim.alive(() => reviewAndRun(deps, facts, request, signal)))) {
        count.completed += 1;
      }
    };
    if (beside === null) return work();
    beside.add(request.id, networkId, work);
  }

  return async (parsed: ParsedRequest, count: Count, signal?: AbortSignal): Promise<void> => {
    try {
      if (!parsed.valid) await invalid(parsed, count);
      else if (parsed.request.state === "ACCEPTED") await stale(parsed.request, count);
      else await carryOut(parsed.request, count, signal);
    } catch (error) {
      const id = parsed.valid ? parsed.request.id : (parsed.identity?.id ?? null);
      warn("REQUEST_FAILED", id, problemOf(error));
    }
  };
}
