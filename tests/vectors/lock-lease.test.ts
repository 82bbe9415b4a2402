import { describe, expect, it } from "vitest";
import {
  type HoldState,
  type LockOwner,
  liveOwner,
  lockStatus,
  networkLockKey,
  RUN_STATUSES,
  runActivity,
} from "../../shared/domain/index.ts";
import { lockOf, member } from "./lock-record.ts";
import { loadVectors, objectOrNull, text, textOrNull, texts, type VectorCase } from "./load.ts";

type Input = VectorCase["input"];

const nowOf = (input: Input) => Date.parse(text(input, "now"));
function ownerOf(input: Input): LockOwner | null {
  const lock = objectOrNull(input, "lock");
  if (lock === null) return null;
  return {
    ownerInvocationId: text(lock, "owner_invocation_id"),
    leaseExpiresAt: text(lock, "lease_expires_at"),
  };
}

describe("the status of a Network lock (wire-format §4.5, orchestration §9.2)", () => {
  it.each(loadVectors("lock-lease.json", ["status"]))("$name", ({ input, expected }) => {
    const key = networkLockKey("prod", "monthly_jobs");
    if (!key.ok || !Array.isArray(input.lock_records)) throw new Error("the vector has no lock records");
    const result = lockStatus(input.lock_records.map(lockOf), key.value, nowOf(input));
    if (!result.ok) {
      expect({ error_code: result.error.code }).toEqual(expected);
      return;
    }
    const lock = result.value;
    expect({
      lock: lock && {
        record_id: lock.recordId,
        owner_invocation_id: lock.ownerInvocationId ?? "",
        // The peer says nothing with an empty text.
        owner_instance_id: lock.ownerInstanceId ?? "",
        heartbeat_at: lock.heartbeatAt,
        lease_expires_at: lock.leaseExpiresAt,
        stale_candidate: lock.staleCandidate,
        revision: lock.revision,
      },
    }).toEqual(expected);
  });
});

describe("the activity of a Run (wire-format §4.5, orchestration §6.1)", () => {
  it.each(loadVectors("lock-lease.json", ["activity"]))("$name", ({ input, expected }) => {
    const hold = textOrNull(input, "cancel_state");
    const { activity } = runActivity(
      {
        status: member(RUN_STATUSES, text(input, "run_status")),
        startedAt: textOrNull(input, "started_at"),
        invocationIds: texts(input, "invocation_ids"),
        lock: ownerOf(input),
        hold: hold === null ? null : member<HoldState>(["REQUESTED", "ACCEPTED", "RELEASED"], hold),
      },
      nowOf(input),
    );
    expect({ activity }).toEqual(expected);
  });
});

describe("the live owner of a Run (wire-format §4.5)", () => {
  it.each(loadVectors("lock-lease.json", ["live_owner"]))("$name", ({ input, expected }) => {
    expect({ live: liveOwner(ownerOf(input), texts(input, "invocation_ids"), nowOf(input)) }).toEqual(
      expected,
    );
  });
});

describe("what of this file is told elsewhere", () => {
  it("30 protocol cases belong to the store's own suite (acquire, heartbeat, release)", () => {
    const kinds = ["acquire", "heartbeat", "heartbeat_peer_weakness", "release"];
    expect(loadVectors("lock-lease.json", kinds)).toHaveLength(30);
  });
});
