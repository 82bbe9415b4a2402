import { isBusy, type Refusal, type UnknownOutcome } from "../../kintone-client/index.ts";

/** `retry` of the profile (execution-contract §12), delays in milliseconds. */
export interface RetryRules {
  readonly maxAttempts: number;
  readonly initialDelayMs: number;
  readonly maxDelayMs: number;
  readonly respectRetryAfter: boolean;
}

/** Server errors that pass (execution-contract §8, "Retried"). */
const PASSING: ReadonlySet<number> = new Set([500, 502, 503, 504, 520, 522, 524]);

/** Whether the same read may be sent again: it has no effect, so an answer that never came is no obstacle. */
export function mayReadAgain(answer: Refusal | UnknownOutcome): boolean {
  if (answer.kind === "refused") return isBusy(answer);
  if (answer.reason === "aborted") return false;
  return answer.reason !== "server-error" || PASSING.has(answer.status ?? 0);
}

/**
 * Whether the same write may be sent again: only if this copy is proven not to have run, because kintone
 * refused it unread or it never left (execution-contract §13 W3). What nobody knows is never repeated.
 */
export const mayWriteAgain = (answer: Refusal | UnknownOutcome): boolean =>
  answer.kind === "refused" ? isBusy(answer) : answer.neverLeft === true;

/** `Retry-After` in milliseconds from now, at least 0; null when it is neither seconds nor a date. */
function retryAfterMs(text: string, nowMs: number): number | null {
  if (/^\d+(\.\d+)?$/.test(text.trim())) return Number(text) * 1000;
  const date = Date.parse(text);
  return Number.isFinite(date) ? Math.max(0, date - nowMs) : null;
}

/**
 * Milliseconds before attempt `next` (2, 3, …): what kintone asked for, capped and without jitter, else full
 * jitter over a doubling delay (execution-contract §8, "Delay"). `random` is in [0, 1).
 */
export function pauseBefore(
  next: number,
  answer: Refusal | UnknownOutcome,
  rules: RetryRules,
  nowMs: number,
  random: number,
): number {
  const asked = answer.retryAfter === undefined ? null : retryAfterMs(answer.retryAfter, nowMs);
  if (rules.respectRetryAfter && asked !== null) return Math.min(asked, rules.maxDelayMs);
  const doubled = rules.initialDelayMs * 2 ** Math.min(next - 2, 30);
  return Math.floor(random * Math.min(doubled, rules.maxDelayMs));
}
