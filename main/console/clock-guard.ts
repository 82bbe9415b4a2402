import type { ClockVerdict } from "../../shared/domain/clock-skew.ts";
import type { Problem } from "../../shared/domain/problem.ts";
import { giveBack, withLockLeft } from "../orchestrator/index.ts";
import type { FlowStore } from "../store/index.ts";

/** Why nothing may be leased by this host's clock (electron-desktop L13). */
export const CLOCK_WRONG: Problem = {
  code: "CLOCK_WRONG",
  message:
    "This host's clock stands more than a minute off the kintone's; a lease taken by it could not be trusted.",
  place: "clock of this host",
  remedy: "Repair the time synchronisation of this host; the next answer of kintone shows that it is right.",
};
/** Told once a process; the work goes on. */
const CLOCK_OFF: Problem = {
  code: "CLOCK_OFF",
  message:
    "This host's clock stands more than half a minute off the kintone's; beyond a minute nothing is started.",
  place: "clock of this host",
  remedy: "Repair the time synchronisation of this host.",
};

/**
 * Refuses what rests on a lease while the clock is proven wrong (electron-desktop L13): taking a Network lock and taking
 * one from somebody, whoever asks. The first answer that shows the kintone's time may be that of the lock itself; such a
 * lock is given back before anything is done under it, so that a good clock costs no request of its own.
 */
export function withClockGuard(
  store: FlowStore,
  verdict: () => ClockVerdict | null,
  warn: (problem: Problem) => void,
): FlowStore {
  let warned = false;
  const judge = (): ClockVerdict | null => {
    const now = verdict();
    if (now === "off" && !warned) {
      warned = true;
      warn(CLOCK_OFF);
    }
    return now;
  };
  return {
    ...store,
    async acquireLock(input, signal) {
      if (judge() === "wrong") return { kind: "unavailable", problem: CLOCK_WRONG };
      const acquired = await store.acquireLock(input, signal);
      if (acquired.kind !== "acquired" || judge() !== "wrong") return acquired;
      const { session } = acquired;
      const left = await giveBack(session, { status: "FAILED", resultCode: "ENSURE_RUN_FAILED" });
      await session.dispose();
      return { kind: "unavailable", problem: withLockLeft(CLOCK_WRONG, left) };
    },
    async forceRelease(release, signal) {
      if (judge() === "wrong") return { kind: "refused", problem: CLOCK_WRONG };
      return store.forceRelease(release, signal);
    },
  };
}
