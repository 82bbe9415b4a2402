import { idOf } from "../unknown/unknowns-route.ts";

export interface RecoveryRoute {
  readonly page: "recovery";
  readonly runId?: string;
  /** A lock whose owner's Run is still to be found. */
  readonly lockId?: string;
}

/** `#/recovery/run/<run>` and `#/recovery/<lock record>`; null for anything else. */
export function recoveryRoute(
  id: string | undefined,
  [part, ...rest]: readonly string[],
): RecoveryRoute | null {
  if (rest.length > 0) return null;
  if (id === "run") {
    const runId = idOf(part);
    return runId === null ? null : { page: "recovery", runId };
  }
  const named = part === undefined && id !== undefined && /^\d{1,20}$/.test(id);
  return named ? { page: "recovery", lockId: id } : null;
}

export const recoveryHash = ({ runId, lockId }: RecoveryRoute): string =>
  runId === undefined ? `#/recovery/${lockId ?? ""}` : `#/recovery/run/${encodeURIComponent(runId)}`;
