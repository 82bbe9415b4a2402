import type { RecordRef } from "../../../../shared/domain/model.ts";
import {
  inLists,
  keysetPage,
  lockCodec,
  recordKeyOf,
  recordsByIds,
  recordsByKeys,
  revisionTextOf,
} from "../../../../shared/records/index.ts";
import {
  bulk,
  getRecords,
  type KintoneAnswer,
  type KintoneTransport,
  type RawRecord,
  recordIdOf,
  type WriteResult,
  write,
} from "../../../kintone-client/index.ts";
import { refAfter, type Slot } from "../changes/plan.ts";
import type { ChangeSet } from "./change-set.ts";
import type { LockView } from "./settle.ts";

/** The requests of a holder; each is one HTTP call within the holder's time limit (fenced-writes §1). */
export interface FenceGateway {
  /** Sends one copy. */
  send(set: ChangeSet, signal?: AbortSignal): Promise<KintoneAnswer<readonly WriteResult[]>>;
  /** Null: not learnt. */
  readLock(recordId: string, signal?: AbortSignal): Promise<LockView | null>;
  readWitness(set: ChangeSet, signal?: AbortSignal): Promise<boolean | null>;
  /** Is the updated record newer than the change expects, or gone? Null: not learnt. */
  readTarget(slots: readonly Slot[], signal?: AbortSignal): Promise<boolean | null>;
  /** Refs of everything a set wrote that was settled by its witness; null: not learnt. */
  readBack(set: ChangeSet, signal?: AbortSignal): Promise<readonly RecordRef[] | null>;
}

function lockView(records: readonly RawRecord[]): LockView | null {
  const [raw] = records;
  if (raw === undefined) return { kind: "gone" };
  const lock = lockCodec.decode(raw);
  if (!lock.ok) return null;
  const { ref, leaseToken, status, statusReason, revision, leaseExpiresAt } = lock.value;
  return {
    kind: "record",
    revision: ref.revision,
    token: leaseToken,
    status,
    statusReason,
    businessRevision: revision,
    leaseExpiresAt,
  };
}

function remember(ids: Map<string, string>, app: number, records: readonly RawRecord[]): void {
  for (const record of records) {
    const [key, id] = [recordKeyOf(record), recordIdOf(record)];
    if (key !== null && id !== null) ids.set(`${app}/${key}`, id);
  }
}

/** Gateway over a transport. `timeoutMs` is the holder's limit for one request (fenced-writes §1). */
export function createFenceGateway(deps: {
  readonly transport: KintoneTransport;
  readonly stateApp: number;
  readonly timeoutMs: number;
}): FenceGateway {
  const { transport, stateApp, timeoutMs } = deps;
  /** Ids of inserted records a witness showed: they need no second read (fenced-writes §4). */
  const shownIds = new Map<string, string>();
  const options = (signal?: AbortSignal) => ({ timeoutMs, ...(signal && { signal }) });

  async function rows(
    app: number,
    query: string,
    signal?: AbortSignal,
  ): Promise<readonly RawRecord[] | null> {
    const answer = await transport.send(getRecords(app, query), options(signal));
    return answer.kind === "ok" ? answer.value : null;
  }

  async function idsByKey(slots: readonly Slot[], signal?: AbortSignal): Promise<Map<string, string> | null> {
    const found = new Map(shownIds);
    for (const app of new Set(slots.map((slot) => slot.app))) {
      const keys = slots.flatMap(({ app: of, recordKey }) =>
        of === app && recordKey !== null && !found.has(`${app}/${recordKey}`) ? [recordKey] : [],
      );
      for (const list of inLists(keys)) {
        const condition = recordsByKeys(list);
        const records = await rows(app, keysetPage(condition, "0"), signal);
        if (records === null) return null;
        remember(found, app, records);
      }
    }
    return found;
  }

  return {
    async send(set, signal) {
      // Beats and lone releases carry only the state token (R7), which a request of its own does by itself.
      if (set.part.subRequests.length > 0) {
        const requests = [set.lockRequest, ...set.part.subRequests.map((sub) => sub.request)];
        return transport.send(bulk(requests), options(signal));
      }
      const answer = await transport.send(write(set.lockRequest), options(signal));
      return answer.kind === "ok" ? { kind: "ok", value: [answer.value] } : answer;
    },
    async readLock(recordId, signal) {
      const records = await rows(stateApp, recordsByIds([recordId]), signal);
      return records && lockView(records);
    },
    async readWitness({ witness }, signal) {
      if (witness === null) return false;
      const records = await rows(witness.app, witness.query, signal);
      if (records === null || !witness.shows(records)) return records && false;
      remember(shownIds, witness.app, records);
      return true;
    },
    async readTarget(slots, signal) {
      const refs = slots.flatMap((slot) => (slot.ref === null ? [] : [slot.ref]));
      const [first] = slots;
      if (first === undefined || refs.length === 0) return false;
      const records = await rows(first.app, recordsByIds(refs.map((ref) => ref.recordId)), signal);
      if (records === null) return null;
      const revisions = new Map(records.map((record) => [recordIdOf(record), revisionTextOf(record)]));
      return refs.some((ref) => revisions.get(ref.recordId) !== String(ref.revision));
    },
    async readBack(set, signal) {
      const slots = set.part.subRequests.flatMap((sub) => sub.slots);
      const ids = await idsByKey(
        slots.filter((slot) => slot.ref === null),
        signal,
      );
      if (ids === null) return null;
      const refs = slots.map((slot) => {
        const id = slot.ref?.recordId ?? ids.get(`${slot.app}/${slot.recordKey}`);
        return id === undefined ? null : refAfter(slot, id);
      });
      return refs.every((ref) => ref !== null) ? refs : null;
    },
  };
}
