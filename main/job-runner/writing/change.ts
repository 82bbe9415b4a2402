import { type RecordBody, WRITE_RECORDS_MAX } from "../../kintone-client/index.ts";
import { settleById, settleGone, type Target } from "./read-back.ts";
import { chunksOf } from "./rows.ts";
import { type SendDeps, sendChunk } from "./send-chunk.ts";

/** An update of one record found before. */
export interface Change {
  readonly id: string;
  readonly record: RecordBody;
}

/** PUTs one chunk of at most 100 records by `$id`. Throws as {@link sendChunk} does. */
export async function updateChunk(
  changes: readonly Change[],
  lastKey: string | null,
  target: Target,
  deps: SendDeps,
): Promise<void> {
  await sendChunk(
    {
      request: { kind: "updateRecords", app: target.appId, entries: changes, upsert: false },
      what: `update records of ${target.label}`,
      records: changes.length,
      lastKey,
      settle: () => settleById(deps.calls, target, changes),
      repeatable: true,
    },
    deps,
  );
}

/** UPDATE (job-dialect §5.6): the same values for every id, 100 a request. */
export async function updateAll(
  ids: Iterable<string>,
  record: RecordBody,
  target: Target,
  deps: SendDeps,
): Promise<void> {
  for (const chunk of chunksOf(ids, WRITE_RECORDS_MAX)) {
    const changes = chunk.map((id) => ({ id, record }));
    await updateChunk(changes, null, target, deps);
  }
}

/** DELETE (job-dialect §5.8): 100 ids a request. */
export async function deleteAll(ids: Iterable<string>, target: Target, deps: SendDeps): Promise<void> {
  for (const chunk of chunksOf(ids, WRITE_RECORDS_MAX)) {
    await sendChunk(
      {
        request: { kind: "deleteRecords", app: target.appId, ids: chunk },
        what: `delete records of ${target.label}`,
        records: chunk.length,
        lastKey: null,
        settle: () => settleGone(deps.calls, target, chunk),
        repeatable: true,
      },
      deps,
    );
  }
}
