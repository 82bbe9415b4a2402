import { sha256Base64Url, sha256Hex } from "./hash.ts";
import { canonicalIdentifier, type IdentifierComponent, type IdentifierPrefix } from "./identifier.ts";
import { fail, ok, type Result } from "./problem.ts";

/** Longest value of a unique kintone text field, in UTF-16 units (wire-format §1.1). */
export const UNIQUE_KEY_MAX_UNITS = 64;
/** Job name that stands for the lock of a whole batch (execution-contract §7.1). */
const BATCH_JOB_NAME = "__batch__";

type Component = readonly [IdentifierComponent, unknown];

function hashKey(
  prefix: string,
  errors: IdentifierPrefix,
  components: readonly Component[],
  tail: readonly string[] = [],
): Result<string> {
  const parts: string[] = [prefix];
  for (const [component, value] of components) {
    const canonical = canonicalIdentifier(value, component, errors);
    if (!canonical.ok) return canonical;
    parts.push(canonical.value);
  }
  return ok(`${prefix}:${sha256Base64Url([...parts, ...tail].join("\u0000"))}`);
}

/** `R1:…`, one Run per profile, network and business key (wire-format §2.2). Errors: `RECORD_KEY_IDENTIFIER_*`. */
export function runKey(profile: unknown, networkId: unknown, businessKey: unknown): Result<string> {
  return hashKey("R1", "RECORD_KEY_IDENTIFIER", [
    ["profile", profile],
    ["networkId", networkId],
    ["businessKey", businessKey],
  ]);
}

/** `S1:…`, one Node State per Run and node (wire-format §2.2). Errors: `RECORD_KEY_IDENTIFIER_*`. */
export function nodeStateKey(runId: unknown, nodeId: unknown): Result<string> {
  return hashKey("S1", "RECORD_KEY_IDENTIFIER", [
    ["runId", runId],
    ["nodeId", nodeId],
  ]);
}

/**
 * `A1:…`, one Attempt per Run, node and number (wire-format §2.2). `RECORD_KEY_ATTEMPT_NO_INVALID` unless the
 * number is a safe integer from 1 on, checked before the ids; then `RECORD_KEY_IDENTIFIER_*`.
 */
export function attemptKey(runId: unknown, nodeId: unknown, attemptNo: unknown): Result<string> {
  if (typeof attemptNo !== "number" || !Number.isSafeInteger(attemptNo) || attemptNo < 1) {
    return fail({
      code: "RECORD_KEY_ATTEMPT_NO_INVALID",
      message: "attemptNo is not a whole number from 1 on; no Attempt key can be made from it.",
      place: "attemptNo",
    });
  }
  return hashKey(
    "A1",
    "RECORD_KEY_IDENTIFIER",
    [
      ["runId", runId],
      ["nodeId", nodeId],
    ],
    [String(attemptNo)],
  );
}

/** `N1:…`, one Network lock per profile and network (wire-format §2.2). Errors: `LOCK_KEY_IDENTIFIER_*`. */
export function networkLockKey(profile: unknown, networkId: unknown): Result<string> {
  return hashKey("N1", "LOCK_KEY_IDENTIFIER", [
    ["profile", profile],
    ["networkId", networkId],
  ]);
}

/** `J1:…`, defined by the peer and used by nobody; kept so that the vectors stay complete (wire-format §2.2). */
export function jobLockHashKey(profile: unknown, jobId: unknown): Result<string> {
  return hashKey("J1", "LOCK_KEY_IDENTIFIER", [
    ["profile", profile],
    ["jobId", jobId],
  ]);
}

function unique(key: string): Result<string> {
  if (key.length <= UNIQUE_KEY_MAX_UNITS) return ok(key);
  return fail({
    code: "UNIQUE_KEY_TOO_LONG",
    message: `The record key has ${key.length} characters; a unique kintone field holds ${UNIQUE_KEY_MAX_UNITS}.`,
    place: "record_key",
  });
}

function jobKey(profile: string, jobName: string): Result<string> {
  const refuse = (message: string, place: string): Result<string> =>
    fail({ code: "CONFIG_ERROR", message, place });
  if (profile.includes(":"))
    return refuse('The profile name contains ":"; the job lock key has no other.', "profile");
  if (jobName.includes(":"))
    return refuse('The job name contains ":"; the job lock key has no other.', "jobId");
  if (jobName === BATCH_JOB_NAME) return refuse(`The job name ${BATCH_JOB_NAME} is reserved.`, "jobId");
  return boundedJobKey(`${profile}:${jobName}`);
}

function boundedJobKey(key: string): Result<string> {
  if (key.length <= UNIQUE_KEY_MAX_UNITS) return ok(key);
  return fail({
    code: "CONFIG_ERROR",
    message: `The job lock key "<profile>:<job>" has ${key.length} characters; at most ${UNIQUE_KEY_MAX_UNITS} fit.`,
    place: "jobId",
    remedy: "Shorten the profile or the job name.",
  });
}

/** Base of {@link recordKeys.lockTombstone}: as it stands if it fits, else its hash (wire-format §2.3). */
export function tombstoneKey(uniqueValue: string): string {
  const direct = `LOCKDONE:${uniqueValue}`;
  return direct.length <= UNIQUE_KEY_MAX_UNITS ? direct : `LOCKDONE:${sha256Base64Url(uniqueValue)}`;
}

function resolution(attemptId: string, resolvedAt: string): Result<string> {
  const instant = Date.parse(resolvedAt);
  if (Number.isNaN(instant)) {
    return fail({
      code: "RECORD_KEY_RESOLVED_AT_INVALID",
      message: "The time of the resolution cannot be read; no record key can be made from it.",
      place: "resolvedAt",
    });
  }
  const digest = sha256Hex(`${attemptId}\u0000${new Date(instant).toISOString()}`);
  return unique(`RES:${digest.slice(0, 60)}`);
}

/**
 * `record_key` of every record and `job_key` of the runner (wire-format §2.3). Errors: those of the hash keys,
 * `UNIQUE_KEY_TOO_LONG`, and `CONFIG_ERROR` for the job lock, as the runner calls it.
 */
export const recordKeys = {
  run: runKey,
  nodeState(runId: unknown, nodeId: unknown): Result<string> {
    const key = nodeStateKey(runId, nodeId);
    return key.ok ? unique(`STATE:${key.value}`) : key;
  },
  /** Record key of a held lock, from its `N1:…` lock key. */
  lockHeld: (lockKey: string): Result<string> => unique(`LOCK:${lockKey}`),
  /**
   * Record key of a released lock. `recordId` only after the ordinary tombstone key was found taken: then the
   * hash also covers the `$id`, so that a forced release cannot be blocked by an older tombstone.
   */
  lockTombstone(lockKey: string, leaseToken: string, recordId?: string): string {
    if (recordId === undefined) return tombstoneKey(`${lockKey}:${leaseToken}`);
    return `LOCKDONE:${sha256Base64Url(`${lockKey}:${leaseToken}:${recordId}`)}`;
  },
  hold: (runId: string): Result<string> => unique(`CANCEL:${runId}`),
  invocation: (invocationId: string): Result<string> => unique(`INV:${invocationId}`),
  attempt: (nodeAttemptId: string): Result<string> => unique(`ATT:${nodeAttemptId}`),
  /** `resolvedAt`: ISO time; the key is made from its millisecond form. */
  resolution,
  operationAudit: (eventId: string): Result<string> => unique(`OP:${eventId}`),
  jobKey,
  jobKeyBatch(profile: string): Result<string> {
    if (profile.includes(":")) return jobKey(profile, "");
    return boundedJobKey(`${profile}:${BATCH_JOB_NAME}`);
  },
} as const;
