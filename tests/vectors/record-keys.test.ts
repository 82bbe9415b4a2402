import { describe, expect, it } from "vitest";
import {
  attemptKey,
  jobLockHashKey,
  networkLockKey,
  nodeStateKey,
  type Problem,
  type Result,
  recordKeys,
  runKey,
  tombstoneKey,
} from "../../shared/domain/index.ts";
import { loadVectors, text, type VectorCase } from "./load.ts";

type Input = VectorCase["input"];

const derive: Readonly<Record<string, (input: Input) => Result<string>>> = {
  R1: (i) => runKey(i.profile, i.network_id, i.business_key),
  S1: (i) => nodeStateKey(i.run_id, i.node_id),
  A1: (i) => attemptKey(i.run_id, i.node_id, i.attempt_no),
  N1: (i) => networkLockKey(i.profile, i.network_id),
  J1: (i) => jobLockHashKey(i.profile, i.job_id),
  RECORD_KEY_NODE_STATE: (i) => recordKeys.nodeState(i.run_id, i.node_id),
  RECORD_KEY_INVOCATION: (i) => recordKeys.invocation(text(i, "invocation_id")),
  RECORD_KEY_ATTEMPT: (i) => recordKeys.attempt(text(i, "node_attempt_id")),
  RECORD_KEY_CANCEL_REQUEST: (i) => recordKeys.hold(text(i, "run_id")),
  RECORD_KEY_RESOLUTION: (i) => recordKeys.resolution(text(i, "attempt_id"), text(i, "resolved_at")),
  RECORD_KEY_OPERATION_AUDIT: (i) => recordKeys.operationAudit(text(i, "event_id")),
  RECORD_KEY_NETWORK_LOCK: (i) => {
    const lockKey = networkLockKey(i.profile, i.network_id);
    return lockKey.ok ? recordKeys.lockHeld(lockKey.value) : lockKey;
  },
  RECORD_KEY_LOCK_TOMBSTONE: (i) => ({
    ok: true,
    value: recordKeys.lockTombstone(text(i, "lock_key"), text(i, "lease_token")),
  }),
  RECORD_KEY_LOCK_TOMBSTONE_RAW: (i) => ({ ok: true, value: tombstoneKey(text(i, "unique_value")) }),
  JOB_KEY: (i) => recordKeys.jobKey(text(i, "profile"), text(i, "job_name")),
  JOB_KEY_BATCH: (i) => recordKeys.jobKeyBatch(text(i, "profile")),
};

const rejection = ({ code, place }: Problem, expected: VectorCase["expected"]) =>
  "component" in expected ? { error_code: code, component: place } : { error_code: code };

describe("record keys are those of the peer (wire-format §2.1–2.3)", () => {
  it.each(loadVectors("record-keys.json"))("$name", ({ input, expected }) => {
    const result = derive[input.kind]?.(input);
    if (result === undefined) throw new Error(`unknown kind ${input.kind}`);
    if ("error_code" in expected) {
      expect(result.ok ? result.value : rejection(result.error, expected)).toEqual(expected);
    } else {
      expect(result).toEqual({ ok: true, value: expected.key ?? expected.record_key });
    }
    if ("lock_key" in expected) {
      expect(networkLockKey(input.profile, input.network_id)).toEqual({ ok: true, value: expected.lock_key });
    }
  });
});
