import type { RecordRef } from "../../../shared/domain/model.ts";
import { errorText, FlowError, type Problem } from "../../../shared/domain/problem.ts";
import { resultMessage } from "../../../shared/domain/request-end.ts";
import type { RequestEnd } from "../../../shared/domain/request-review.ts";
import { isoNow } from "../deps.ts";
import type { PollerDeps, PollWarning } from "./ports.ts";

/** How often a result that met another revision is written (orchestration section 7.3). */
const RESULT_WRITES = 2;

/** A request that this poller has taken: shows life until the work is done, then carries the result. */
export interface Claim {
  /** Runs `work` with a sign of life at every interval. */
  alive<T>(work: () => Promise<T>): Promise<T>;
  /** Writes the result when the record still is this claim's; otherwise leaves it and warns. */
  end(end: RequestEnd): Promise<boolean>;
}

const problemOf = (error: unknown): Problem =>
  error instanceof FlowError ? error.problem : { code: "REQUEST_FAILED", message: errorText(error) };

/** Keeps a claim by its revision; a beat that fails never touches the work (orchestration section 7.3). */
export function createClaim(deps: PollerDeps, requestId: string, claimed: RecordRef): Claim {
  let ref = claimed;
  const warn = (code: PollWarning["code"], cause: Problem | null): void =>
    deps.warn({ code, requestId, cause });

  async function beat(): Promise<void> {
    try {
      const beaten = await deps.requests.beat(ref, isoNow(deps.clock));
      if (beaten.kind === "applied") ref = beaten.ref;
      else warn("CLAIM_HEARTBEAT_FAILED", beaten.problem);
    } catch (error) {
      warn("CLAIM_HEARTBEAT_FAILED", problemOf(error));
    }
  }

  async function beats(done: AbortSignal): Promise<void> {
    for (;;) {
      await deps.delay(deps.heartbeatMs, done);
      if (done.aborted) return;
      await beat();
    }
  }

  /** The requester may have ticked meanwhile, which costs a revision and comes too late. */
  async function writeOnce(end: RequestEnd): Promise<"written" | "again" | "left"> {
    const now = await deps.requests.read(requestId);
    if (now?.valid !== true) return "again";
    const { request } = now;
    const message = resultMessage(end, request.cancelRequested);
    if (request.state !== "ACCEPTED") {
      const same = request.state === end.state && request.resultCode === end.code;
      if (!same) warn("RESULT_STATE_MISMATCH", null);
      return same ? "written" : "left";
    }
    const at = { recordId: request.id, revision: request.revision };
    const written = await deps.requests.end(at, {
      state: end.state,
      resultCode: end.code,
      resultMessage: message,
    });
    return written.kind === "applied" ? "written" : "again";
  }

  return {
    async alive(work) {
      const done = new AbortController();
      const beating = beats(done.signal);
      try {
        return await work();
      } finally {
        done.abort();
        await beating;
      }
    },
    async end(end) {
      let cause: Problem | null = null;
      for (let write = 0; write < RESULT_WRITES; write += 1) {
        try {
          const outcome = await writeOnce(end);
          if (outcome !== "again") return outcome === "written";
        } catch (error) {
          cause = problemOf(error);
        }
      }
      warn("RESULT_FINALIZE_ABANDONED", cause);
      return false;
    },
  };
}
