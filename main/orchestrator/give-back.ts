import { errorText, type Problem } from "../../shared/domain/problem.ts";
import type { LockSession, ReleaseAs } from "../store/index.ts";

/**
 * Gives the Network lock back alone; null when it went back, otherwise why it did not (orchestration W-16). Never
 * throws: it is the last thing done for a Run, and whatever it meets must not hide what was known before.
 */
export async function giveBack(
  session: Pick<LockSession, "release" | "lockKey">,
  { status, resultCode }: ReleaseAs,
): Promise<Problem | null> {
  try {
    const released = await session.release({ status, resultCode });
    return released.kind === "applied" ? null : released.problem;
  } catch (error) {
    return {
      code: "LOCK_RELEASE_FAILED",
      message: `The Network lock could not be given back: ${errorText(error)}`,
      place: session.lockKey,
      remedy: "Look at the lock; when its holder is proven dead, release it by force.",
    };
  }
}

/** `cause`, with the lock that stayed behind told beside it. */
export const withLockLeft = (cause: Problem, left: Problem | null): Problem =>
  left === null ? cause : { ...cause, details: { ...cause.details, lockNotReleased: left.code } };
