import { getRecords, recordIdOf, write } from "../../main/kintone-client/index.ts";
import { recordKeys } from "../../shared/domain/index.ts";
import type { Hold, NetworkLock, Stored } from "../../shared/domain/model.ts";
import { holdCodec, lockCodec, revisionTextOf, type WireRecord } from "../../shared/records/index.ts";
import type { KintoneFixture } from "./store-fixture.ts";

/** What people and other programs do to the records while a Run is on: straight to kintone, past any proxy. */
export interface FlowRecords {
  /** Every lock record, held or tombstone, oldest first. */
  locks(): Promise<readonly Stored<NetworkLock>[]>;
  /** The youngest lock record. */
  lastLock(): Promise<Stored<NetworkLock>>;
  /** Inserts a hold in state REQUESTED (orchestration section 4.7). */
  requestHold(runId: string): Promise<void>;
  /** Takes the hold back (orchestration section 4.7). */
  releaseHold(hold: Stored<Hold>): Promise<void>;
  /** Turns a held lock into its tombstone, as a forced release does (orchestration section 3.5). */
  forceRelease(lock: Stored<NetworkLock>): Promise<void>;
  /** `app/$id` and `$revision` of every state and audit record a query finds. */
  revisions(query: string): Promise<readonly string[]>;
  insert(role: "state" | "audit" | "jobLog", record: WireRecord): Promise<void>;
  update(role: "state" | "audit", entry: { readonly id: string; readonly record: WireRecord }): Promise<void>;
  dispose(): Promise<void>;
}

/** Opens them; whoever opens disposes. */
export function openFlowRecords(kintone: Pick<KintoneFixture, "transport" | "apps">): FlowRecords {
  const transport = kintone.transport();
  const { apps } = kintone;

  async function locks(): Promise<readonly Stored<NetworkLock>[]> {
    const query = 'record_type in ("NETWORK_LOCK") order by $id asc limit 500';
    const answer = await transport.send(getRecords(apps.state, query));
    if (answer.kind !== "ok") throw new Error("the locks could not be read");
    return answer.value.map((raw) => {
      const lock = lockCodec.decode(raw);
      if (!lock.ok) throw new Error(lock.error.message);
      return lock.value;
    });
  }

  async function send(request: Parameters<typeof write>[0]): Promise<void> {
    const answer = await transport.send(write(request));
    if (answer.kind !== "ok") throw new Error(`refused: ${JSON.stringify(answer)}`);
  }

  const insert: FlowRecords["insert"] = (role, record) =>
    send({ kind: "addRecord", app: apps[role], record });
  const update: FlowRecords["update"] = (role, entry) =>
    send({ kind: "updateRecord", app: apps[role], entry });

  return {
    locks,
    async lastLock() {
      const last = (await locks()).at(-1);
      if (last === undefined) throw new Error("there is no lock record");
      return last;
    },
    requestHold: (runId) => insert("state", holdCodec.encode(newHold(runId))),
    releaseHold: ({ ref, ...hold }) =>
      update("state", {
        id: ref.recordId,
        record: holdCodec.encodeUpdate({
          ...hold,
          state: "RELEASED",
          releasedAt: new Date().toISOString(),
          releaseReason: "go on",
          releaseRequestedBy: "operator",
        }),
      }),
    forceRelease: ({ ref, lockKey, leaseToken, revision }) =>
      update("state", {
        id: ref.recordId,
        record: lockCodec.encodeRelease({
          recordKey: recordKeys.lockTombstone(lockKey ?? "", leaseToken ?? ""),
          status: "CANCELLED",
          statusReason: "NETWORK_LOCK_FORCE_RELEASED",
          finishedAt: new Date().toISOString(),
          revision: revision + 1,
        }),
      }),
    async revisions(query) {
      const found: string[] = [];
      for (const app of [apps.state, apps.audit]) {
        const answer = await transport.send(getRecords(app, `${query} order by $id asc limit 500`));
        if (answer.kind !== "ok") throw new Error(`refused: ${JSON.stringify(answer)}`);
        for (const row of answer.value) found.push(`${app}/${recordIdOf(row)} ${revisionTextOf(row)}`);
      }
      return found;
    },
    insert,
    update,
    dispose: () => transport.dispose(),
  };
}

function newHold(runId: string): Hold {
  return {
    runId,
    state: "REQUESTED",
    requestedBy: "operator",
    reason: "look at the data first",
    requestedAt: new Date().toISOString(),
    acceptedAt: null,
    releasedAt: null,
    releaseReason: null,
    releaseRequestedBy: null,
  };
}
