import { KintoneAbortSearchError, KintoneRestAPIError } from "@kintone/rest-api-client";
import { z } from "zod";
import type { FieldErrors, Refusal, UnknownOutcome } from "./answer.ts";

const errorBody = z.object({
  code: z.string().min(1),
  message: z.string(),
  errors: z.unknown().optional(),
});
const fieldErrors = z.record(z.string(), z.object({ messages: z.array(z.string()) }));

/** Code of a search kintone cut short: its rows are not all rows (kintone-rest §13.6). */
export const SEARCH_ABORTED = "SEARCH_ABORTED";

function readErrors(value: unknown): FieldErrors {
  const parsed = fieldErrors.safeParse(value);
  if (!parsed.success) return {};
  return Object.fromEntries(Object.entries(parsed.data).map(([path, { messages }]) => [path, messages]));
}

const unknownOutcome = (
  reason: UnknownOutcome["reason"],
  extra: { readonly status?: number | undefined; readonly detail?: string | undefined } = {},
): UnknownOutcome => ({
  kind: "unknown",
  reason,
  ...(extra.status !== undefined && { status: extra.status }),
  ...(extra.detail !== undefined && { detail: extra.detail }),
});

/**
 * An error status with a body. Only a 4xx with kintone's own error shape proves that the request did not
 * run; a 5xx, legacy 520 included, and any other body prove nothing (fenced-writes R3).
 */
export function classifyErrorBody(
  status: number,
  body: unknown,
  bulkIndex: number | null,
): Refusal | UnknownOutcome {
  const parsed = errorBody.safeParse(body);
  if (status >= 500) {
    const outcome = unknownOutcome("server-error", { status });
    if (!parsed.success) return outcome;
    return { ...outcome, said: { code: parsed.data.code, message: parsed.data.message } };
  }
  if (!parsed.success || status < 400) return unknownOutcome("unreadable", { status });
  return {
    kind: "refused",
    status,
    code: parsed.data.code,
    message: parsed.data.message,
    errors: readErrors(parsed.data.errors),
    bulkIndex,
  };
}

/** Outcome of a body that is no JSON: a gateway or maintenance page (kintone-rest §15). */
export const classifyTextBody = (status: number): UnknownOutcome =>
  unknownOutcome(status >= 500 ? "server-error" : "unreadable", { status });

const STATUS_IN_MESSAGE = /^(\d{3}): /;
const CLIENT_MESSAGE = /^\[\d+\] \[[^\]]*\] ([\s\S]*) \([^()]*\)$/;

/** kintone's own words out of the client's `[status] [code] message (id)`. */
const bareMessage = (message: string): string => CLIENT_MESSAGE.exec(message)?.[1] ?? message;

function headerOf(headers: unknown, name: string): string | null {
  if (typeof headers !== "object" || headers === null) return null;
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return typeof found === "string" ? found : null;
}

/** The network layer's code of an error (`ECONNRESET`, …), or undefined. */
function networkCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}

const TIMEOUT_CODES: ReadonlySet<string> = new Set(["ECONNABORTED", "ETIMEDOUT"]);

/** No address, or nobody listening there: not one byte of the request was sent. */
const NEVER_LEFT_CODES: ReadonlySet<string> = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN"]);

/** Outcome of a request whose connection failed. */
export function classifyNetworkError(error: unknown): UnknownOutcome {
  const detail = networkCode(error);
  if (detail !== undefined && NEVER_LEFT_CODES.has(detail)) {
    return { kind: "unknown", reason: "lost", detail, neverLeft: true };
  }
  return unknownOutcome(detail !== undefined && TIMEOUT_CODES.has(detail) ? "timeout" : "lost", { detail });
}

/**
 * What an exception of the official client says about the request (kintone-rest §1.1, W9). The client turns
 * HTML errors into a plain `Error` with the status in its text and a cut body into an unrelated `TypeError`.
 */
export function classifyClientError(error: unknown): Refusal | UnknownOutcome {
  if (error instanceof KintoneRestAPIError) {
    const body = { code: error.code, message: bareMessage(error.message), errors: error.errors };
    const outcome = classifyErrorBody(error.status, body, error.bulkRequestIndex ?? null);
    const retryAfter = headerOf(error.headers, "retry-after");
    return retryAfter === null ? outcome : { ...outcome, retryAfter };
  }
  if (error instanceof KintoneAbortSearchError) {
    return {
      kind: "refused",
      status: 200,
      code: SEARCH_ABORTED,
      message: error.message,
      errors: {},
      bulkIndex: null,
    };
  }
  if (networkCode(error) !== undefined) return classifyNetworkError(error);
  const status = error instanceof Error ? STATUS_IN_MESSAGE.exec(error.message)?.[1] : undefined;
  return status === undefined ? unknownOutcome("unreadable") : classifyTextBody(Number(status));
}
