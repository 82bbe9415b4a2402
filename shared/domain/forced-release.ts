import { forceUnlockAllowedAt } from "./lease.ts";
import type { LockOwnerVerdict } from "./lock-owner.ts";
import type { NetworkLock, Stored } from "./model.ts";
import { ownerInstanceIdOf, parseOwnerInstance } from "./owner-instance.ts";
import { fail, ok, type Result } from "./problem.ts";

/** How somebody made sure that the lock's owner has stopped (orchestration §3.5). */
const STOP_METHODS = ["manual", "local_pid", "cloud_run_job_execution"] as const;
export type StopMethod = (typeof STOP_METHODS)[number];

/** What a person says when they take a Network lock from its owner. Every text is required. */
export interface ForcedReleaseWish {
  readonly networkId: string;
  readonly profile: string;
  readonly expectedOwnerInvocationId: string;
  readonly reason: string;
  readonly evidenceRef: string;
  readonly stopConfirmedBy: string;
  readonly stopEvidenceRef: string;
  /** As given; one that is not a {@link StopMethod} confirms nothing. */
  readonly stopMethod: string;
  readonly servicePrincipal: string;
  readonly requestedBy: string;
  /** The PID the person looked for; compared with the owner's when given (decisions §3). */
  readonly expectedPid: number | null;
}

/** What is known about the owner beyond the lock record. */
export interface StopFacts {
  /** Of the owner's process, judged on this host. */
  readonly owner: LockOwnerVerdict;
  /** What the cloud said of the execution; null when it was not asked. */
  readonly cloudRun: CloudRunAnswer | null;
}
export type CloudRunAnswer =
  | { readonly kind: "ended"; readonly completionTime: string }
  | { readonly kind: "running" }
  /** No token, no permission, no answer, or one that cannot be read. */
  | { readonly kind: "unknown"; readonly why: string };

const TEXTS = [
  "networkId",
  "profile",
  "expectedOwnerInvocationId",
  "reason",
  "evidenceRef",
  "stopConfirmedBy",
  "stopEvidenceRef",
  "stopMethod",
  "servicePrincipal",
  "requestedBy",
] as const;

/** Check 1 (orchestration §3.5): nothing is blank. Code `INVALID_ARGUMENT`, the fields in `details.fields`. */
export function checkForcedReleaseInputs(wish: ForcedReleaseWish): Result<null> {
  const fields = TEXTS.filter((field) => wish[field].trim() === "");
  if (fields.length === 0) return ok(null);
  return fail({
    code: "INVALID_ARGUMENT",
    message: `Left blank: ${fields.join(", ")}. A forced release nobody can trace is none.`,
    place: fields[0] ?? "",
    remedy: "Fill in every field.",
    details: { fields },
  });
}

/**
 * Checks 2 to 4 (orchestration §3.5): the lock is held, by the owner the person named, and its lease ended more than
 * the allowance ago. `lock` null: no record. `now` in epoch milliseconds. Codes `LOCK_NOT_FOUND`, `OWNER_MISMATCH`,
 * `PID_MISMATCH`, `LOCK_READ_FAILED`, `LEASE_STILL_ACTIVE` (`details.allowedAt`, epoch milliseconds).
 */
export function checkHeldLock(
  lock: Stored<NetworkLock> | null,
  wish: Pick<ForcedReleaseWish, "expectedOwnerInvocationId" | "expectedPid">,
  now: number,
): Result<Stored<NetworkLock>> {
  if (lock === null) {
    return fail({
      code: "LOCK_NOT_FOUND",
      message: "Nobody holds this Network lock; there is nothing to release.",
      remedy: "Look at the list of locks again: it may have been released in the meantime.",
    });
  }
  const owner = checkOwner(lock, wish);
  if (!owner.ok) return owner;
  const allowedAt = forceUnlockAllowedAt(lock.leaseExpiresAt);
  if (allowedAt === null) {
    return fail({
      code: "LOCK_READ_FAILED",
      message: "The lock's expiry cannot be read, so nothing says that its lease has ended.",
      place: lock.recordKey,
      remedy: "Have the record looked at; it is not released from here.",
    });
  }
  if (now >= allowedAt) return ok(lock);
  return fail({
    code: "LEASE_STILL_ACTIVE",
    message:
      "The lease, with the minute that kintone may have cut from it, has not ended: the owner may still be at work.",
    place: lock.recordKey,
    remedy: "Wait until the lease has ended, then look again.",
    details: { allowedAt },
  });
}

function checkOwner(
  lock: Stored<NetworkLock>,
  wish: Pick<ForcedReleaseWish, "expectedOwnerInvocationId" | "expectedPid">,
): Result<null> {
  if (lock.ownerInvocationId !== wish.expectedOwnerInvocationId) {
    return fail({
      code: "OWNER_MISMATCH",
      message: "The lock is held by another owner than the one named.",
      place: lock.recordKey,
      remedy: "Look at the lock again and judge its present owner.",
      details: { ownerInvocationId: lock.ownerInvocationId },
    });
  }
  const owner = parseOwnerInstance(ownerInstanceIdOf(lock.statusReason));
  if (wish.expectedPid === null || owner.kind !== "local-pid" || owner.pid === wish.expectedPid)
    return ok(null);
  return fail({
    code: "PID_MISMATCH",
    message: `The lock names process ${owner.pid} as its owner, not ${wish.expectedPid}.`,
    place: lock.recordKey,
    remedy: "Check which process was looked at.",
    details: { pid: owner.pid },
  });
}

/**
 * Check 5 (orchestration §3.5, decisions §3): whether the stop counts as confirmed. `manual` rests on the person's
 * word; the others on facts, and every doubt refuses. Gives the method, which is what the audit says. Code
 * `STOP_NOT_CONFIRMED`, the reason in `details.why`.
 */
export function checkStop(given: string, facts: StopFacts): Result<StopMethod> {
  const method = STOP_METHODS.find((known) => known === given);
  if (method === undefined) return notConfirmed(unknownMethod(given));
  const why = stopDoubt(method, facts);
  return why === null ? ok(method) : notConfirmed(why);
}

function notConfirmed(why: Doubt): Result<never> {
  return fail({
    code: "STOP_NOT_CONFIRMED",
    message: `It is not confirmed that the owner has stopped: ${why.text}`,
    place: "stopMethod",
    remedy: why.remedy,
    details: { why: why.code },
  });
}

interface Doubt {
  readonly code: string;
  readonly text: string;
  readonly remedy: string;
}
const unknownMethod = (given: string): Doubt => ({
  code: "unknown-method",
  text: `"${given}" is no way to confirm it.`,
  remedy: `Choose one of ${STOP_METHODS.join(", ")}.`,
});
const ELSEWHERE = "Confirm the stop on the owner's own host, or by hand with evidence.";

function stopDoubt(method: StopMethod, { owner, cloudRun }: StopFacts): Doubt | null {
  switch (method) {
    case "manual":
      return null;
    case "local_pid":
      return ownerDoubt(owner);
    case "cloud_run_job_execution":
      return cloudRunDoubt(cloudRun);
  }
}

function ownerDoubt(owner: LockOwnerVerdict): Doubt | null {
  if (owner.kind === "gone" || owner.kind === "another") return null;
  if (owner.kind === "alive") {
    return {
      code: "alive",
      text: "its process is running on this host.",
      remedy: "Stop the process first, or wait for it.",
    };
  }
  const texts: Readonly<Record<typeof owner.by, string>> = {
    "other-host": "the owner ran on another host.",
    "no-pid": "the lock does not name a process.",
    unreadable: "the process table could not be read.",
    "no-creation-time": "a process with this PID exists and cannot be told from the owner.",
  };
  return { code: owner.by, text: texts[owner.by], remedy: ELSEWHERE };
}

function cloudRunDoubt(answer: CloudRunAnswer | null): Doubt | null {
  if (answer?.kind === "ended") return null;
  if (answer?.kind === "running") {
    return {
      code: "running",
      text: "the execution has not ended.",
      remedy: "Wait for its end, or cancel it in the cloud.",
    };
  }
  return {
    code: "cloud-unknown",
    text: answer?.why ?? "the lock does not name an execution.",
    remedy: ELSEWHERE,
  };
}

/** Check 6 (orchestration §3.5): nothing moved while the stop was being confirmed. Code `HEARTBEAT_ADVANCED`. */
export function checkUnmoved(before: Stored<NetworkLock>, now: Stored<NetworkLock> | null): Result<null> {
  const unmoved =
    now !== null &&
    now.ref.recordId === before.ref.recordId &&
    now.ref.revision === before.ref.revision &&
    now.heartbeatAt === before.heartbeatAt &&
    now.ownerInvocationId === before.ownerInvocationId &&
    now.leaseToken === before.leaseToken;
  if (unmoved) return ok(null);
  return fail({
    code: "HEARTBEAT_ADVANCED",
    message:
      now === null
        ? "The lock was released in the meantime."
        : "The lock changed in the meantime: somebody is still writing it.",
    place: before.recordKey,
    remedy: "Look at the lock again; its owner is, or was until now, alive.",
  });
}
