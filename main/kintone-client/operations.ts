import { z } from "zod";

/** A record body as it is sent: field code to `{value}`. */
export type RecordBody = Readonly<Record<string, { readonly value: unknown }>>;
/** A record as kintone answers it. Codecs check the fields they need. */
export type RawRecord = Readonly<Record<string, unknown>>;
/** Which record an update addresses (kintone-rest §6). */
export type Target =
  | { readonly id: string }
  | { readonly updateKey: { readonly field: string; readonly value: string } };
/** One entry of a batch update. `revision` absent means unchecked. */
export type UpdateEntry = Target & { readonly revision?: number; readonly record: RecordBody };
/** A record's `$id` and `$revision` after a write. */
export interface WrittenRef {
  readonly recordId: string;
  readonly revision: number;
}

interface AddRecord {
  readonly kind: "addRecord";
  readonly app: number;
  readonly record: RecordBody;
}
interface AddRecords {
  readonly kind: "addRecords";
  readonly app: number;
  readonly records: readonly RecordBody[];
}
interface UpdateRecord {
  readonly kind: "updateRecord";
  readonly app: number;
  readonly entry: UpdateEntry;
}
interface UpdateRecords {
  readonly kind: "updateRecords";
  readonly app: number;
  readonly entries: readonly UpdateEntry[];
  /** Insert entries whose key finds nothing; needs the edit and the add right (kintone-rest §4). */
  readonly upsert: boolean;
}
interface DeleteRecords {
  readonly kind: "deleteRecords";
  readonly app: number;
  readonly ids: readonly string[];
}
/** What a bulk may carry (kintone-rest §9). */
export type WriteRequest = AddRecord | AddRecords | UpdateRecord | UpdateRecords | DeleteRecords;

/** Everything the program asks of kintone. Plain data, so that any transport can carry it. */
export type KintoneRequest =
  | WriteRequest
  | { readonly kind: "bulk"; readonly requests: readonly WriteRequest[] }
  | {
      readonly kind: "getRecords";
      readonly app: number;
      readonly query: string;
      readonly fields?: readonly string[];
      readonly totalCount?: boolean;
    }
  | {
      readonly kind: "uploadFile";
      readonly app: number;
      readonly name: string;
      readonly contentType: string;
      readonly bytes: Uint8Array;
    }
  | { readonly kind: "downloadFile"; readonly app: number; readonly fileKey: string }
  | { readonly kind: "getFormFields"; readonly app: number }
  | { readonly kind: "getAppSettings"; readonly app: number }
  | { readonly kind: "getAppStatus"; readonly app: number }
  | { readonly kind: "getApp"; readonly app: number };

/** A request and the shape its answer must have; `parse` gives null for any other shape (kintone-rest W1). */
export interface KintoneOperation<T> {
  readonly request: KintoneRequest;
  readonly parse: (raw: unknown) => T | null;
}

const idText = z.string().regex(/^[1-9]\d*$/);
const revisionText = z
  .string()
  .regex(/^[1-9]\d*$/)
  .transform(Number);

const checked =
  <T>(schema: z.ZodType<T>) =>
  (raw: unknown): T | null => {
    const result = schema.safeParse(raw);
    return result.success ? result.data : null;
  };

const added = z
  .object({ id: idText, revision: revisionText })
  .transform(({ id, revision }): WrittenRef => ({ recordId: id, revision }));

/** Refs of a batch insert, one for each record sent; a shorter answer is ill-shaped. */
function addedMany(count: number) {
  return z
    .object({ ids: z.array(idText).length(count), revisions: z.array(revisionText).length(count) })
    .transform(({ ids, revisions }): readonly WrittenRef[] =>
      ids.map((recordId, index) => ({ recordId, revision: revisions[index] ?? Number.NaN })),
    );
}

const updated = z.object({ revision: revisionText });
const updatedMany = (count: number) =>
  z
    .object({ records: z.array(added).length(count) })
    .transform(({ records }): readonly WrittenRef[] => records);

/** Refs of one write; an update by key has no id to tell. */
export interface WriteResult {
  readonly refs: readonly { readonly recordId: string | null; readonly revision: number }[];
}

function parseWrite(request: WriteRequest, raw: unknown): WriteResult | null {
  switch (request.kind) {
    case "addRecord": {
      const ref = checked(added)(raw);
      return ref && { refs: [ref] };
    }
    case "addRecords": {
      const refs = checked(addedMany(request.records.length))(raw);
      return refs && { refs };
    }
    case "updateRecord": {
      const answer = checked(updated)(raw);
      const recordId = "id" in request.entry ? request.entry.id : null;
      return answer && { refs: [{ recordId, revision: answer.revision }] };
    }
    case "updateRecords": {
      const refs = checked(updatedMany(request.entries.length))(raw);
      return refs && { refs };
    }
    case "deleteRecords":
      return checked(z.object({}))(raw) && { refs: [] };
  }
}

/** Any single write; refs stand in the order of the records sent. */
export const write = (request: WriteRequest): KintoneOperation<WriteResult> => ({
  request,
  parse: (raw) => parseWrite(request, raw),
});

/** Up to 20 writes, all or nothing, in order; one result each (kintone-rest §9). */
export function bulk(requests: readonly WriteRequest[]): KintoneOperation<readonly WriteResult[]> {
  const shape = z.object({ results: z.array(z.unknown()).length(requests.length) });
  return {
    request: { kind: "bulk", requests },
    parse(raw) {
      const answer = checked(shape)(raw);
      if (answer === null) return null;
      const results = requests.map((request, index) => parseWrite(request, answer.results[index]));
      return results.every((result) => result !== null) ? results : null;
    },
  };
}

const records = z
  .object({ records: z.array(z.record(z.string(), z.unknown())) })
  .transform((answer): readonly RawRecord[] => answer.records);

/** Records by query; at most 500, default 100, newest first unless ordered (kintone-rest §13). */
export const getRecords = (
  app: number,
  query: string,
  fields?: readonly string[],
): KintoneOperation<readonly RawRecord[]> => ({
  request: { kind: "getRecords", app, query, ...(fields && { fields }) },
  parse: checked(records),
});

const counted = z
  .object({ records: z.array(z.record(z.string(), z.unknown())), totalCount: z.string().regex(/^\d+$/) })
  .transform(
    ({ records: found, totalCount }): CountedRecords => ({
      records: found,
      total: Number(totalCount),
    }),
  );

/** Records of one page, and how many there are in all. */
export interface CountedRecords {
  readonly records: readonly RawRecord[];
  readonly total: number;
}

/** {@link getRecords} with the number of all records that answer the condition, whatever its limit (kintone-rest §13). */
export const getCountedRecords = (
  app: number,
  query: string,
  fields?: readonly string[],
): KintoneOperation<CountedRecords> => ({
  request: { kind: "getRecords", app, query, ...(fields && { fields }), totalCount: true },
  parse: checked(counted),
});

/** Uploads a file; the key attaches once (kintone-rest §11). */
export const uploadFile = (
  app: number,
  file: { readonly name: string; readonly contentType: string; readonly bytes: Uint8Array },
): KintoneOperation<string> => ({
  request: { kind: "uploadFile", app, ...file },
  parse: checked(z.object({ fileKey: z.string().min(1) }).transform(({ fileKey }) => fileKey)),
});

/** Bytes of a file, by the key read from its record (kintone-rest §11). */
export const downloadFile = (app: number, fileKey: string): KintoneOperation<Uint8Array> => ({
  request: { kind: "downloadFile", app, fileKey },
  parse: (raw) => (raw instanceof Uint8Array ? raw : null),
});

const properties = z.object({ properties: z.record(z.string(), z.record(z.string(), z.unknown())) });
/** Live form fields by code (kintone-rest §12). */
export const getFormFields = (
  app: number,
): KintoneOperation<Readonly<Record<string, Readonly<Record<string, unknown>>>>> => ({
  request: { kind: "getFormFields", app },
  parse: checked(properties.transform((answer) => answer.properties)),
});

/** Live app settings, as they come (kintone-rest §12). */
export const getAppSettings = (app: number): KintoneOperation<Readonly<Record<string, unknown>>> => ({
  request: { kind: "getAppSettings", app },
  parse: checked(z.record(z.string(), z.unknown())),
});

/** Process management settings, as they come (kintone-rest §12). */
export const getAppStatus = (app: number): KintoneOperation<Readonly<Record<string, unknown>>> => ({
  request: { kind: "getAppStatus", app },
  parse: checked(z.record(z.string(), z.unknown())),
});

const appShape = z.object({ appId: idText, name: z.string(), spaceId: z.string().nullable() });
/** Name and space of a live app (kintone-rest §12). */
export const getApp = (app: number): KintoneOperation<z.infer<typeof appShape>> => ({
  request: { kind: "getApp", app },
  parse: checked(appShape),
});

/** Apps whose tokens a request needs, without repeats (fenced-writes R8). */
export function appsOf(request: KintoneRequest): readonly number[] {
  return request.kind === "bulk" ? [...new Set(request.requests.map((inner) => inner.app))] : [request.app];
}
