import type { LockDetail } from "../../../shared/api/index.ts";
import { forceUnlockAllowedAt } from "../../../shared/domain/lease.ts";
import type { Problem } from "../../../shared/domain/problem.ts";

/** Why a lock cannot be taken from its holder now; no word of anybody opens it (operator-ux §2.3, step 3). */
export type ReleaseGate =
  | { readonly kind: "lease"; readonly allowedAtMs: number | null }
  | { readonly kind: "alive" | "cannotTell" | "children" | "noOwner" | "noNetwork" };

/**
 * The gate as the last probes leave it, or null. On the owner's own host every doubt closes it; of another host nothing
 * can be seen, and the evidence has to carry it (decisions §3). Main judges the same anew at the moment of release.
 */
export function releaseGate({ lock, probes, verdict }: LockDetail): ReleaseGate | null {
  const { holder } = lock;
  if (holder === null || holder.ownerInvocationId === null) return { kind: "noOwner" };
  if (lock.networkId === null) return { kind: "noNetwork" };
  const ownHost = holder.thisHost && holder.pid !== null;
  if (ownHost && verdict.kind === "alive") return { kind: "alive" };
  if (!holder.staleCandidate) {
    return { kind: "lease", allowedAtMs: forceUnlockAllowedAt(holder.leaseExpiresAt) };
  }
  if (ownHost && verdict.kind === "cannot-tell") return { kind: "cannotTell" };
  const children = probes.some(({ probe, result }) => probe === "children" && result === "alive");
  return children ? { kind: "children" } : null;
}

/** Whether the form is worth filling in: everything else may change by waiting, and a lease ends by itself. */
export const formIsOpen = (gate: ReleaseGate | null): boolean => gate === null || gate.kind === "lease";

/** Refusals of the plan that the form itself answers; the others close the gate. */
const OF_FORM: ReadonlySet<string> = new Set([
  "INVALID_ARGUMENT",
  "PID_REQUIRED",
  "PID_MISMATCH",
  "STOP_CHECKS_REQUIRED",
]);
/** Refusals that the gate above says in its own words. */
const OF_GATE: ReadonlySet<string> = new Set(["LEASE_STILL_ACTIVE", "STOP_NOT_CONFIRMED"]);

/** What of a plan's refusals the form cannot answer. */
export const firmRefusals = (refusals: readonly Problem[]): readonly Problem[] =>
  refusals.filter(({ code }) => !OF_FORM.has(code));

/** Those of them that the gate does not say already. */
export const toldRefusals = (refusals: readonly Problem[], gate: ReleaseGate | null): readonly Problem[] =>
  firmRefusals(refusals).filter(({ code }) => gate === null || !OF_GATE.has(code));
