import { getRecords, type RecordBody, recordIdOf, WRITE_RECORDS_MAX } from "../../kintone-client/index.ts";
import { API_LIMIT_EXCEEDED, RunFailure } from "../run/failure.ts";
import type { SourceField } from "../sources/form.ts";
import { settleInserted, type Target } from "./read-back.ts";
import { chunksOf } from "./rows.ts";
import { type SendDeps, sendChunk } from "./send-chunk.ts";

/** Inserts records of one statement in chunks, able to tell later whether a lost one arrived. */
export interface Inserter {
  /** Sends one chunk of at most 100 records. Throws as {@link sendChunk} does. */
  insert(bodies: readonly RecordBody[]): Promise<void>;
}

/** `key`: field whose value is reported as the last written one, null for none. */
export function createInserter(target: Target, key: SourceField | null, deps: SendDeps): Inserter {
  // Id of the newest record before the chunk in flight; undefined until it was looked up.
  let newest: string | null | undefined;

  async function newestId(): Promise<string | null> {
    const query = "order by $id desc limit 1";
    try {
      const operation = getRecords(target.appId, query, ["$id"]);
      const [record] = await deps.calls.read(operation, `look up the newest record of ${target.label}`);
      return record === undefined ? "0" : recordIdOf(record);
    } catch (error) {
      // A token that may add but not view cannot look; its lost answers then stay unclear.
      if (error instanceof RunFailure && error.code !== API_LIMIT_EXCEEDED) return null;
      throw error;
    }
  }

  return {
    async insert(bodies) {
      deps.check();
      newest ??= await newestId();
      const after = newest;
      const done = await sendChunk(
        {
          request: { kind: "addRecords", app: target.appId, records: bodies },
          what: `insert records into ${target.label}`,
          records: bodies.length,
          lastKey: key === null ? null : String(bodies.at(-1)?.[key.name]?.value ?? ""),
          settle: () => settleInserted(deps.calls, target, bodies, after),
          repeatable: isGuarded(bodies, target),
        },
        deps,
      );
      const last = done.result?.refs.at(-1)?.recordId ?? null;
      newest = last ?? (await newestId());
    },
  };
}

/** True when a field without duplicates keeps every record from being inserted twice. */
function isGuarded(bodies: readonly RecordBody[], { fields }: Target): boolean {
  return fields.some(
    ({ name, unique }) =>
      unique && bodies.every((body) => body[name] !== undefined && String(body[name].value) !== ""),
  );
}

/** INSERT (job-dialect §5.5): 100 records a request, in the order of `bodies`. */
export async function insertAll(bodies: Iterable<RecordBody>, target: Target, deps: SendDeps): Promise<void> {
  const inserter = createInserter(target, null, deps);
  for (const chunk of chunksOf(bodies, WRITE_RECORDS_MAX)) await inserter.insert(chunk);
}
