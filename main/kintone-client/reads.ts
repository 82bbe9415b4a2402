import { FlowError } from "../../shared/domain/problem.ts";
import type { KintoneAnswer, Refusal, UnknownOutcome } from "./answer.ts";
import { isBusy, refusalProblem, unknownProblem } from "./errors.ts";
import { READ_RECORDS_MAX } from "./limits.ts";
import { getRecords, type KintoneOperation, type RawRecord } from "./operations.ts";
import type { KintoneTransport, SendOptions } from "./transport.ts";

/** Waits `ms`; resolves early, without error, when the signal fires. */
export type Sleep = (ms: number, signal?: AbortSignal) => Promise<void>;

export interface RetryPolicy {
  /** Attempts in all, at least 1. */
  readonly attempts: number;
  /** Pause after the first attempt in milliseconds; it doubles up to `maxDelayMs`. */
  readonly firstDelayMs: number;
  readonly maxDelayMs: number;
}

/** Bounded retries of what is safe to repeat (kintone-rest W5, W-22). */
export const READ_RETRY: RetryPolicy = { attempts: 4, firstDelayMs: 250, maxDelayMs: 2_000 };

/** Pause before attempt `next` (2, 3, …) in milliseconds. */
export const retryDelay = (policy: RetryPolicy, next: number): number =>
  Math.min(policy.firstDelayMs * 2 ** (next - 2), policy.maxDelayMs);

export interface ReadDeps {
  readonly transport: KintoneTransport;
  readonly sleep: Sleep;
  readonly retry?: RetryPolicy;
}

const repeatable = (answer: Refusal | UnknownOutcome): boolean =>
  answer.kind === "refused" ? isBusy(answer) : answer.reason !== "aborted";

/**
 * Sends a read, again while the answer is missing or kintone is busy, within the policy's bound. Only for
 * operations without effect; the last answer is returned as it is.
 */
export async function sendRead<T>(
  deps: ReadDeps,
  operation: KintoneOperation<T>,
  options: SendOptions = {},
): Promise<KintoneAnswer<T>> {
  const policy = deps.retry ?? READ_RETRY;
  for (let attempt = 1; ; attempt += 1) {
    const answer = await deps.transport.send(operation, options);
    if (answer.kind === "ok" || !repeatable(answer) || attempt >= policy.attempts) return answer;
    await deps.sleep(retryDelay(policy, attempt + 1), options.signal);
  }
}

/** The value of an answer, or a thrown `FlowError`: `STORE_REFUSED` or `STORE_UNREACHABLE`. */
export function requireValue<T>(answer: KintoneAnswer<T>, what: string): T {
  if (answer.kind === "ok") return answer.value;
  throw new FlowError(
    answer.kind === "refused" ? refusalProblem(answer, what) : unknownProblem(answer, what),
  );
}

const ID = /^[1-9]\d*$/;

/** `$id` of a raw record, or null when it has none. */
export function recordIdOf(record: RawRecord): string | null {
  const cell = record.$id;
  if (typeof cell !== "object" || cell === null || !("value" in cell)) return null;
  return typeof cell.value === "string" && ID.test(cell.value) ? cell.value : null;
}

function lastId(page: readonly RawRecord[], previous: string, what: string): string {
  let last = previous;
  for (const record of page) {
    const id = recordIdOf(record);
    if (id === null || BigInt(id) <= BigInt(last)) {
      throw new FlowError({
        code: "RECORD_UNREADABLE",
        message: `kintone's rows to ${what} do not ascend by $id; the list cannot be known to be complete.`,
        place: `after record ${last}`,
        remedy: "Look again; if it stays so, report it to the administrator of the kintone domain.",
      });
    }
    last = id;
  }
  return last;
}

/**
 * All records of a condition, page by page by `$id`, never by offset (wire-format §4.2). `page` builds the
 * query of the page after an id, which starts at `"0"`. Throws `STORE_*`, and `RECORD_UNREADABLE` when ids
 * do not ascend.
 */
export async function* pageById(
  deps: ReadDeps,
  source: {
    readonly app: number;
    readonly page: (afterId: string, limit: number) => string;
    readonly what: string;
    readonly fields?: readonly string[];
    readonly limit?: number;
  },
  options: SendOptions = {},
): AsyncGenerator<readonly RawRecord[], void, void> {
  const limit = source.limit ?? READ_RECORDS_MAX;
  let after = "0";
  for (;;) {
    const operation = getRecords(source.app, source.page(after, limit), source.fields);
    const rows = requireValue(await sendRead(deps, operation, options), source.what);
    after = lastId(rows, after, source.what);
    if (rows.length > 0) yield rows;
    if (rows.length < limit) return;
  }
}
