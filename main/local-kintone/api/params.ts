import { invalid, KintoneError } from "../errors.ts";
import { TEXT } from "../texts.ts";

/** Parameters of one call: query string and JSON body merged, the body winning (kintone-rest §2). */
export type Params = Readonly<Record<string, unknown>>;

function decodePart(part: string): string {
  try {
    // A `+` in a query string means a space (kintone-rest §2).
    return decodeURIComponent(part.replaceAll("+", " "));
  } catch {
    return part;
  }
}

/** Parses a query string; `x[0]=`, `x[]=` and repeated `x=` all make the array `x` (kintone-rest §2). */
export function parseQueryString(query: string): Params {
  const single = new Map<string, string[]>();
  const arrays = new Map<string, Map<number, string>>();
  for (const pair of query.split("&")) {
    if (pair === "") continue;
    const cut = pair.indexOf("=");
    const name = decodePart(cut < 0 ? pair : pair.slice(0, cut));
    const value = cut < 0 ? "" : decodePart(pair.slice(cut + 1));
    const match = /^(.*)\[(\d{0,6})\]$/.exec(name);
    if (match === null) {
      single.set(name, [...(single.get(name) ?? []), value]);
      continue;
    }
    const list = arrays.get(match[1] ?? "") ?? new Map<number, string>();
    list.set(match[2] === "" ? list.size : Number(match[2]), value);
    arrays.set(match[1] ?? "", list);
  }
  const params: Record<string, unknown> = {};
  for (const [name, values] of single) params[name] = values.length === 1 ? values[0] : values;
  for (const [name, values] of arrays) {
    params[name] = [...values].sort(([left], [right]) => left - right).map(([, value]) => value);
  }
  return params;
}

const invalidJson = (): KintoneError =>
  new KintoneError(400, "CB_IJ01", { ja: "不正なJSON文字列です。", en: "Invalid JSON string." });

/** Parses a JSON object body; anything else is 400 `CB_IJ01` (kintone-rest §2). */
export function parseJsonBody(body: string): Params {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    throw invalidJson();
  }
  if (!isObject(parsed)) throw invalidJson();
  return parsed;
}

/** A JSON object, not an array and not null. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The `value` of a written field; a bare value counts as itself. */
export const rawValue = (entry: unknown): unknown => (isObject(entry) ? entry.value : entry);

const isMissing = (value: unknown): boolean => value === undefined || value === null || value === "";

/** A required positive integer, number or text; `key` is how errors name it (kintone-rest §5). */
export function positiveInteger(value: unknown, key: string): number {
  if (isMissing(value)) throw invalid(key, TEXT.parameterRequired);
  const text = typeof value === "number" || typeof value === "string" ? String(value).trim() : "";
  if (!/^-?\d{1,15}$/.test(text)) throw invalid(key, TEXT.integer);
  if (Number(text) < 1) throw invalid(key, TEXT.atLeastOne);
  return Number(text);
}

/** A required non-empty text. */
export function requiredText(value: unknown, key: string): string {
  if (isMissing(value)) throw invalid(key, TEXT.parameterRequired);
  if (typeof value === "string") return value;
  if (typeof value === "number") return String(value);
  throw invalid(key, TEXT.badShape);
}

/** An optional list: absent is null, a lone value counts as a list of one. */
export function optionalList(value: unknown): readonly unknown[] | null {
  if (value === undefined || value === null) return null;
  if (Array.isArray(value)) return value;
  return [value];
}

/** An optional boolean, JSON or text. */
export const truthy = (value: unknown): boolean => value === true || value === "true";

/** An expected revision, or null for "do not check": absent, null, empty or -1 (kintone-rest §7). */
export function expectedRevision(value: unknown, key: string): number | null {
  if (isMissing(value)) return null;
  const text = typeof value === "number" || typeof value === "string" ? String(value).trim() : "";
  if (!/^-?\d{1,15}$/.test(text)) throw invalid(key, TEXT.integer);
  return Number(text) === -1 ? null : Number(text);
}
