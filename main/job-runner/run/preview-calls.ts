import {
  getRecords,
  type KintoneAnswer,
  type KintoneOperation,
  type RecordBody,
  type UpdateEntry,
  type WriteRequest,
} from "../../kintone-client/index.ts";
import { cellText } from "../sources/form.ts";
import type { Calls } from "./calls.ts";

type Cells = Readonly<Record<string, string>>;

/** One change a dry run would make. */
export interface PreviewSample {
  readonly appId: number;
  readonly operation: "INSERT" | "UPDATE" | "UPSERT" | "DELETE";
  readonly kind: "insert" | "update" | "delete";
  readonly keyField?: string;
  readonly key?: string;
  readonly before?: Cells;
  readonly after?: Cells;
}

/** What would be written to one app. */
export interface PreviewWrites {
  readonly appId: number;
  readonly counts: { insert: number; update: number; delete: number };
  /** Write requests that would be sent. */
  estimatedWrites: number;
}

export interface Preview {
  /** Calls that read as before and write nothing at all. */
  readonly calls: Calls;
  writes(): readonly PreviewWrites[];
  samples(): readonly PreviewSample[];
  /** Requests sent to compare with what is there. */
  requests(): number;
}

const afterOf = (record: RecordBody): Cells =>
  Object.fromEntries(Object.entries(record).map(([field, cell]) => [field, cellText(cell)]));

interface Existing {
  readonly id: string;
  readonly cells: Cells;
}

/**
 * Puts itself in place of every write of a job (execution-contract §4.5): what it would do is counted and, up
 * to `samples` times, shown; the answer is one kintone could have given. No write request leaves.
 */
export function createPreview(calls: Calls, samples: number): Preview {
  const byApp = new Map<number, PreviewWrites>();
  const shown: PreviewSample[] = [];
  let requests = 0;
  let nextId = 0;

  function writesOf(appId: number): PreviewWrites {
    const known = byApp.get(appId) ?? {
      appId,
      counts: { insert: 0, update: 0, delete: 0 },
      estimatedWrites: 0,
    };
    byApp.set(appId, known);
    return known;
  }

  function show(sample: PreviewSample): void {
    writesOf(sample.appId).counts[sample.kind] += 1;
    if (shown.length < samples) shown.push(sample);
  }

  /** Records as they are, by the text of `field`; asked only where a sample or a split needs it. */
  async function existing(app: number, field: string, values: readonly string[], fields: readonly string[]) {
    const list = values.map((value) => `"${value.replace(/[\\"]/g, "\\$&")}"`).join(", ");
    const query = `${field} in (${list}) order by $id asc limit 500`;
    const wanted = [...new Set([...fields, field, "$id"])];
    requests += 1;
    const records = await calls.read(getRecords(app, query, wanted), "compare with what is there");
    return new Map<string, Existing>(
      records.map((record) => {
        const cells = Object.fromEntries(
          Object.entries(record).map(([code, cell]) => [code, cellText(cell)]),
        );
        return [cells[field] ?? "", { id: cells.$id ?? "", cells }];
      }),
    );
  }

  const room = (): boolean => shown.length < samples;
  const madeUp = (): string => String(900_000_000 + ++nextId);

  function insert(
    app: number,
    records: readonly RecordBody[],
    operation: PreviewSample["operation"],
  ): unknown {
    for (const record of records) show({ appId: app, operation, kind: "insert", after: afterOf(record) });
    return { ids: records.map(madeUp), revisions: records.map(() => "1") };
  }

  async function update(app: number, entries: readonly UpdateEntry[], upsert: boolean): Promise<unknown> {
    const key = entries.find((entry) => "updateKey" in entry);
    const field = key !== undefined && "updateKey" in key ? key.updateKey.field : "$id";
    const keyValue = (entry: UpdateEntry): string => ("id" in entry ? entry.id : entry.updateKey.value);
    const fields = [...new Set(entries.flatMap(({ record }) => Object.keys(record)))];
    const found = upsert || room() ? await existing(app, field, entries.map(keyValue), fields) : null;
    const operation = upsert ? "UPSERT" : "UPDATE";
    const records = entries.map((entry) => {
      const value = keyValue(entry);
      const before = found?.get(value);
      const isNew = upsert && before === undefined;
      const after = afterOf(entry.record);
      const keyed = { keyField: field, key: value };
      if (isNew) show({ appId: app, operation, kind: "insert", ...keyed, after });
      else {
        const old = Object.fromEntries(Object.keys(after).map((code) => [code, before?.cells[code] ?? ""]));
        const known = before === undefined ? {} : { before: old };
        show({ appId: app, operation, kind: "update", ...keyed, ...known, after });
      }
      return { id: before?.id ?? madeUp(), revision: "1", operation: isNew ? "INSERT" : "UPDATE" };
    });
    return { records };
  }

  function remove(app: number, ids: readonly string[]): unknown {
    for (const key of ids) show({ appId: app, operation: "DELETE", kind: "delete", keyField: "$id", key });
    return {};
  }

  async function pretend(request: WriteRequest): Promise<unknown> {
    writesOf(request.app).estimatedWrites += 1;
    switch (request.kind) {
      case "addRecord": {
        insert(request.app, [request.record], "INSERT");
        return { id: madeUp(), revision: "1" };
      }
      case "addRecords":
        return insert(request.app, request.records, "INSERT");
      case "updateRecord":
        await update(request.app, [request.entry], false);
        return { revision: "2" };
      case "updateRecords":
        return update(request.app, request.entries, request.upsert);
      case "deleteRecords":
        return remove(request.app, request.ids);
    }
  }

  async function answer<T>(operation: KintoneOperation<T>): Promise<KintoneAnswer<T>> {
    const { request } = operation;
    if (!isWrite(request)) throw new Error(`a dry run has no way to send ${request.kind}`);
    const value = operation.parse(await pretend(request));
    if (value === null) throw new Error(`a dry run could not answer ${request.kind}`);
    return { kind: "ok", value };
  }

  return {
    calls: {
      count: calls.count,
      read: calls.read,
      readAlways: calls.readAlways,
      send: answer,
      sendAlways: answer,
    },
    writes: () => [...byApp.values()],
    samples: () => shown,
    requests: () => requests,
  };
}

const WRITES: readonly string[] = [
  "addRecord",
  "addRecords",
  "updateRecord",
  "updateRecords",
  "deleteRecords",
];

const isWrite = (request: KintoneOperation<unknown>["request"]): request is WriteRequest =>
  WRITES.includes(request.kind);
