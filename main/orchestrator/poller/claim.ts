import type { RecordRef } from "../../../shared/domain/model.ts";
import { errorText, FlowError, type Problem } from "../../../shared/domain/problem.ts";
import type { ParsedRequest, RequestState } from "../../../shared/domain/request.ts";
import { resultMessage } from "../../../shared/domain/request-end.ts";
import type { RequestEnd } from "../../../shared/domain/request-review.ts";
import { isoNow } from "../deps.ts";
import type { PollerDeps, PollWarning } from "./ports.ts";

/** How often a result that met another revision is written (orchestration section 7.3). */
const RESULT_WRITES = 2;
/** A beat that met another revision is sent once more on the one that is there. */
const BEATS = 2;

/** A request that this poller has taken: shows life until the work is done, then carries the result. */
export interface Claim {
  /** Runs `work` with a sign of life at every interval. */
  alive<T>(work: () => Promise<T>): Promise<T>;
  /** Writes the result when the record still is this claim's; otherwise leaves it and warns. Never rejects. */
  end(end: RequestEnd): Promise<boolean>;
}

export const problemOf = (error: unknown): Problem =>
  error instanceof FlowError ? error.problem : { code: "REQUEST_FAILED", message: errorText(error) };

/** A request as it stands now, as far as a claim needs it. */
interface Standing {
  readonly ref: RecordRef;
  readonly state: RequestState;
  /** Null where the record does not say, or says it illegibly. */
  readonly host: string | null;
  readonly cancelRequested: boolean;
  readonly resultCode: string | null;
}

/** What somebody broke in a record since its claim does not keep its result out of it. */
function standingOf(parsed: ParsedRequest | null): Standing | null {
  if (parsed === null) return null;
  if (parsed.valid) {
    const { id, revision, state, claim, cancelRequested, resultCode } = parsed.request;
    return {
      ref: { recordId: id, revision },
      state,
      host: claim?.host ?? null,
      cancelRequested,
      resultCode,
    };
  }
  const { identity, cancelRequested } = parsed;
  if (identity === null) return null;
  const ref = { recordId: identity.id, revision: identity.revision };
  return { ref, state: identity.state, host: null, cancelRequested, resultCode: null };
}

/** Keeps a claim by its revision; a beat that fails never touches the work (orchestration section 7.3). */
export function createClaim(deps: PollerDeps, requestId: string, claimed: RecordRef): Claim {
  let ref = claimed;
  const warn = (code: PollWarning["code"], cause: Problem | null): void =>
    deps.warn({ code, requestId, cause });
  const standing = async (): Promise<Standing | null> => standingOf(await deps.requests.read(requestId));
  const isOurs = ({ state, host }: Standing): boolean =>
    state === "ACCEPTED" && (host === null || host === deps.host);

  /**
   * The requester may tick the record while the work goes on, which costs a revision: without a look at it no later
   * beat would ever fit, and a living claim would turn stale.
   */
  async function beatOnce(): Promise<Problem | null> {
    let problem: Problem | null = null;
    for (let beat = 0; beat < BEATS; beat += 1) {
      const beaten = await deps.requests.beat(ref, isoNow(deps.clock));
      if (beaten.kind === "applied") {
        ref = beaten.ref;
        return null;
      }
      problem = beaten.problem;
      const now = await standing();
      if (now === null || !isOurs(now)) return problem;
      ref = now.ref;
    }
    return problem;
  }

  async function beats(done: AbortSignal): Promise<void> {
    for (;;) {
      await deps.delay(deps.heartbeatMs, done);
      if (done.aborted) return;
      const problem = await beatOnce().catch(problemOf);
      if (problem !== null) warn("CLAIM_HEARTBEAT_FAILED", problem);
    }
  }

  /** The state is read before each write, also before the second: a result never lies over another one (W-32). */
  async function writeOnce(end: RequestEnd): Promise<"written" | "left" | Problem> {
    const now = await standing();
    if (now === null) return { code: "RECORD_NOT_FOUND", message: "The request is not there any more." };
    if (!isOurs(now)) {
      if (now.state === end.state && now.resultCode === end.code) return "written";
      warn("RESULT_STATE_MISMATCH", null);
      return "left";
    }
    const written = await deps.requests.end(now.ref, {
      state: end.state,
      resultCode: end.code,
      resultMessage: resultMessage(end, now.cancelRequested),
    });
    return written.kind === "applied" ? "written" : written.problem;
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
        const outcome = await writeOnce(end).catch(problemOf);
        if (outcome === "written" || outcome === "left") return outcome === "written";
        cause = outcome;
      }
      warn("RESULT_FINALIZE_ABANDONED", cause);
      return false;
    },
  };
}
