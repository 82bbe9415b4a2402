import type { Failure } from "../documents/observation-schema.ts";
import type { Watched } from "./run-stage.ts";

/** The two reasons to end a run from outside its plan: somebody asked, or the time for all of it is over. */
export interface Endings {
  readonly stopped: () => boolean;
  /** The failure this amounts to at this place; null while nothing happened. */
  readonly failureAt: (caseId: string, stage: string) => Failure | null;
  readonly dispose: () => void;
}

/** Watches both; when one comes, the living children are ended by their own PIDs. */
export function createEndings(
  alive: ReadonlyMap<string, Watched>,
  signal: AbortSignal,
  runMs: number,
): Endings {
  let code: "INTERRUPTED" | "CHILD_TIMEOUT" | null = null;
  const stop = (because: "INTERRUPTED" | "CHILD_TIMEOUT"): void => {
    code ??= because;
    for (const { child } of alive.values()) {
      child.kill(because === "INTERRUPTED" ? "left-over" : "time-out");
    }
  };
  const onAbort = (): void => stop("INTERRUPTED");
  signal.addEventListener("abort", onAbort, { once: true });
  if (signal.aborted) onAbort();
  const timer = setTimeout(() => stop("CHILD_TIMEOUT"), runMs);
  return {
    stopped: () => code !== null,
    failureAt: (caseId, stage) => {
      if (code === null) return null;
      const expected = code === "INTERRUPTED" ? "an end by its own plan" : `an end within ${runMs} ms`;
      return { case: caseId, stage, code, expected, observed: "ended from outside" };
    },
    dispose: () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
    },
  };
}
