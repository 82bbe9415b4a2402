import type { Attempt } from "./model.ts";

/** Equal failures in a row that stop automatic retries (orchestration §4.6). */
const RETRY_BRAKE_THRESHOLD = 3;

export interface FailureStreak {
  readonly code: string;
  readonly count: number;
}

/**
 * The newest run of equal failures of one node (orchestration §4.6): Attempts by number, newest first,
 * PREPARE_FAILED skipped, ended by anything that is not FAILED and by an empty or other result code. Null
 * when the latest Attempt that counts is no failure.
 */
export function failureStreak(
  attempts: readonly Pick<Attempt, "attemptNo" | "status" | "resultCode">[],
): FailureStreak | null {
  let code = "";
  let count = 0;
  for (const { status, resultCode } of attempts.toSorted((a, b) => b.attemptNo - a.attemptNo)) {
    if (status === "CANCELLED" && resultCode === "PREPARE_FAILED") continue;
    if (status !== "FAILED" || resultCode === "") break;
    if (count > 0 && code !== resultCode) break;
    code = resultCode;
    count++;
  }
  return count === 0 ? null : { code, count };
}

/** The streak when it reached the threshold, else null. Only a RESUME of an idempotent node asks (orchestration §4.6). */
export function retryBrake(attempts: Parameters<typeof failureStreak>[0]): FailureStreak | null {
  const streak = failureStreak(attempts);
  return streak !== null && streak.count >= RETRY_BRAKE_THRESHOLD ? streak : null;
}

/** `status_reason` of a braked node: `RETRY_BRAKE:<code>x<count>`. */
export function retryBrakeReason({ code, count }: FailureStreak): string {
  return `RETRY_BRAKE:${code}x${count}`;
}

/** The streak inside a `status_reason`, or null when it is another reason. */
export function parseRetryBrakeReason(statusReason: string | null): FailureStreak | null {
  const match = /^RETRY_BRAKE:(.+)x(\d+)$/.exec(statusReason ?? "");
  const code = match?.[1];
  return code === undefined ? null : { code, count: Number(match?.[2]) };
}
