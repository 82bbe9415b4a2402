import type { Problem } from "../../shared/domain/problem.ts";

/** Where a thing that is read from main stands. A value once read stays on show while it is read again or failed to. */
export interface Loaded<T> {
  readonly phase: "idle" | "loading" | "ready" | "failed";
  readonly value: T | null;
  readonly problem: Problem | null;
}

export const idle = { phase: "idle", value: null, problem: null } as const;
export const loading = <T>(before: Loaded<T>): Loaded<T> => ({ ...before, phase: "loading" });
export const ready = <T>(value: T): Loaded<T> => ({ phase: "ready", value, problem: null });
export const failed = <T>(before: Loaded<T>, problem: Problem): Loaded<T> => ({
  phase: "failed",
  value: before.value,
  problem,
});
