import { isObject, optionalList, parseQueryString } from "../api/params.ts";
import type { KintoneRequest } from "../model.ts";

/** One call as rules see it: a request, or an entry of a bulk request. */
export interface SubjectPart {
  readonly method: string;
  /** Without query. */
  readonly path: string;
  readonly app: string | null;
  readonly ids: readonly string[];
  readonly updateKeys: readonly { readonly field: string; readonly value: string }[];
  /** Values written, one object per row: field code to value. */
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  readonly query: string;
  /** Place in the bulk; null for the request itself. */
  readonly index: number | null;
}

/** Everything a rule may ask about a request; never leaves the process. */
export interface Subject {
  /** The request first, then the entries of a bulk. */
  readonly parts: readonly SubjectPart[];
  readonly client: string | null;
  readonly tokens: readonly string[];
  readonly user: string | null;
}

const OVERRIDES: ReadonlySet<string> = new Set(["GET", "POST", "PUT", "DELETE"]);

function bodyParams(request: KintoneRequest): Readonly<Record<string, unknown>> {
  const { body, headers } = request;
  if (body === undefined || body.length === 0) return {};
  if ((headers["content-type"] ?? "").toLowerCase().startsWith("multipart/")) return {};
  try {
    const parsed: unknown = JSON.parse(typeof body === "string" ? body : Buffer.from(body).toString("utf8"));
    return isObject(parsed) ? parsed : {};
  } catch {
    return {};
  }
}

const scalar = (value: unknown): string | null =>
  typeof value === "string" || typeof value === "number" ? String(value) : null;

const present = <T>(values: readonly (T | null)[]): readonly T[] => values.filter((value) => value !== null);

function readKey(raw: unknown): SubjectPart["updateKeys"][number] | null {
  const value = isObject(raw) ? scalar(raw.value) : null;
  return isObject(raw) && value !== null ? { field: String(raw.field ?? ""), value } : null;
}

interface Entry {
  readonly id: string | null;
  readonly key: SubjectPart["updateKeys"][number] | null;
  readonly row: Readonly<Record<string, unknown>> | null;
}

/** `{record}` and `records[n]` in both spellings: with a `record` inside (PUT) or the bare record (POST). */
function readEntry(raw: unknown, isBareRecord: boolean): Entry {
  if (!isObject(raw)) return { id: null, key: null, row: null };
  if (isBareRecord) return { id: null, key: null, row: raw };
  return {
    id: scalar(raw.id),
    key: readKey(raw.updateKey),
    row: isObject(raw.record) ? raw.record : null,
  };
}

function partOf(
  call: Pick<SubjectPart, "method" | "path" | "index">,
  params: Readonly<Record<string, unknown>>,
): SubjectPart {
  const list = Array.isArray(params.records) ? params.records : [];
  const entries = [
    readEntry(params, false),
    ...list.map((entry: unknown) => readEntry(entry, call.method === "POST")),
  ];
  const ids = (optionalList(params.ids) ?? []).map(scalar);
  return {
    ...call,
    app: scalar(params.app),
    ids: present([...entries.map((entry) => entry.id), ...ids]),
    updateKeys: present(entries.map((entry) => entry.key)),
    rows: entries.map((entry) => entry.row).filter((row) => row !== null),
    query: typeof params.query === "string" ? params.query : "",
  };
}

function readUser(headers: KintoneRequest["headers"]): string | null {
  const decoded = Buffer.from(headers["x-cybozu-authorization"] ?? "", "base64").toString("utf8");
  const cut = decoded.indexOf(":");
  return cut < 1 ? null : decoded.slice(0, cut);
}

/** Reads a request once for all rules; what cannot be read simply matches less. Pure. */
export function readSubject(request: KintoneRequest): Subject {
  const { headers, target } = request;
  const cut = target.indexOf("?");
  const path = cut < 0 ? target : target.slice(0, cut);
  const override = headers["x-http-method-override"];
  const method =
    request.method === "POST" && override !== undefined && OVERRIDES.has(override)
      ? override
      : request.method;
  const params = { ...(cut < 0 ? {} : parseQueryString(target.slice(cut + 1))), ...bodyParams(request) };
  const requests =
    path.endsWith("/bulkRequest.json") && Array.isArray(params.requests) ? params.requests : [];
  const parts = requests.map((raw: unknown, index) => {
    const entry = isObject(raw) ? raw : {};
    const call = { method: String(entry.method ?? ""), path: String(entry.api ?? ""), index };
    return partOf(call, isObject(entry.payload) ? entry.payload : {});
  });
  return {
    parts: [partOf({ method, path, index: null }, params), ...parts],
    client: request.client ?? headers["x-client-label"] ?? null,
    tokens: (headers["x-cybozu-api-token"] ?? "")
      .split(",")
      .map((token) => token.trim())
      .filter((token) => token !== ""),
    user: readUser(headers),
  };
}

/** True when anything in the request writes. */
export const isWrite = (subject: Subject): boolean => subject.parts[0]?.method !== "GET";

const RECORD_PATH = /\/v1\/(?:records?|bulkRequest|records?\/status|record\/assignees)\.json$/;

/** True when the request writes records, which endpoints do in one synchronous transaction. */
export const writesRecords = (subject: Subject): boolean =>
  isWrite(subject) && RECORD_PATH.test(subject.parts[0]?.path ?? "");
