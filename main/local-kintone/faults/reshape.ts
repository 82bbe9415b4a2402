import { isObject } from "../api/params.ts";
import { htmlResponse } from "../api/respond.ts";
import type { KintoneResponse } from "../model.ts";
import type { EffectOf, FaultEffect } from "./effect-schema.ts";

const ABORTED = "Filter aborted because of too many search results";

const textOf = (response: KintoneResponse): string =>
  typeof response.body === "string" ? response.body : Buffer.from(response.body).toString("utf8");

export const isJson = (response: KintoneResponse): boolean =>
  (response.headers["Content-Type"] ?? "").startsWith("application/json");

export const isSuccess = (response: KintoneResponse): boolean =>
  response.status >= 200 && response.status < 300;

/** Code of a JSON error, as its header says it (kintone-rest §2). */
export const codeOf = (response: KintoneResponse): string | null =>
  response.headers["X-Cybozu-Error"] ?? null;

/** The JSON object of an answer, or null. */
export function jsonOf(response: KintoneResponse): Readonly<Record<string, unknown>> | null {
  if (!isJson(response)) return null;
  const parsed: unknown = JSON.parse(textOf(response));
  return isObject(parsed) ? parsed : null;
}

/** Whether an effect on answers makes sense on this one; a rule is not spent on any other. */
export function suits(effect: FaultEffect, response: KintoneResponse): boolean {
  switch (effect.kind) {
    case "barrier":
    case "crash":
      return isSuccess(response);
    case "revision-loser":
      return codeOf(response) === "GAIA_CO02";
    case "wrong-bytes":
      return isSuccess(response) && response.body.length > 0;
    case "abort-search":
      return isSuccess(response) && Array.isArray(jsonOf(response)?.records);
    case "malformed":
      return isSuccess(response) && isJson(response);
    default:
      return true;
  }
}

function withoutMember(value: unknown, member: string): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => withoutMember(item, member));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => key !== member)
      .map(([key, inner]) => [key, withoutMember(inner, member)]),
  );
}

/** Ids and revisions as JSON numbers, which kintone never sends (kintone-rest §2). */
function withNumbers(value: unknown): unknown {
  if (typeof value === "string" && /^\d{1,15}$/.test(value)) return Number(value);
  if (Array.isArray(value)) return value.map(withNumbers);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withNumbers(inner)]));
}

/** A 200 whose body is not what a client expects (F27). */
export function malform(response: KintoneResponse, effect: EffectOf<"malformed">): KintoneResponse {
  switch (effect.how) {
    case "html": {
      const page = htmlResponse(200);
      return { ...response, headers: { ...response.headers, ...page.headers }, body: page.body };
    }
    case "empty":
      return { ...response, body: "" };
    case "broken-json":
      return { ...response, body: textOf(response).slice(0, -1) };
    case "numbers":
      return { ...response, body: JSON.stringify(withNumbers(jsonOf(response))) };
    case "drop-member":
      return { ...response, body: JSON.stringify(withoutMember(jsonOf(response), effect.member)) };
  }
}

/** A search that was cut short: a part of the records and the warning header (F26, kintone-rest §13.6). */
export function abortSearch(response: KintoneResponse, keep: number): KintoneResponse {
  const content = jsonOf(response);
  const records = Array.isArray(content?.records) ? content.records.slice(0, keep) : [];
  return {
    ...response,
    headers: { ...response.headers, "X-Cybozu-Warning": ABORTED },
    body: JSON.stringify({ ...content, records }),
  };
}

/** The same length with the first byte turned (F24). */
export function turnBytes(response: KintoneResponse): KintoneResponse {
  const bytes = Buffer.from(textOrBytes(response));
  bytes[0] = (bytes[0] ?? 0) ^ 0xff;
  return { ...response, body: bytes };
}

const textOrBytes = (response: KintoneResponse): Uint8Array =>
  typeof response.body === "string" ? Buffer.from(response.body, "utf8") : response.body;

/**
 * A stale revision answered as the lock failure that the loser of a race sometimes gets (F12, kintone-rest §7); inside
 * a bulk at the place of its entry.
 */
export function asLockFailure(
  response: KintoneResponse,
  status: number,
  body: Readonly<Record<string, unknown>>,
): KintoneResponse {
  const content = jsonOf(response);
  const results = content?.results;
  const shaped = Array.isArray(results)
    ? {
        results: results.map((entry: unknown) =>
          isObject(entry) && entry.code === "GAIA_CO02" ? body : entry,
        ),
      }
    : body;
  return {
    ...response,
    status,
    headers: { ...response.headers, "X-Cybozu-Error": String(body.code) },
    body: JSON.stringify(shaped),
  };
}
