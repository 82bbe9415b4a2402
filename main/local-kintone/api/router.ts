import { KintoneError } from "../errors.ts";
import type { KintoneRequest, KintoneResponse } from "../model.ts";
import { settleDeploys } from "../settings/deploy.ts";
import { storageFailure } from "../storage/failures.ts";
import { authenticate } from "./auth.ts";
import { readUpload } from "./file-endpoints.ts";
import type { Handler } from "./handlers.ts";
import { type Locale, negotiateLocale } from "./locale.ts";
import { type Params, parseJsonBody, parseQueryString } from "./params.ts";
import { errorBody, htmlResponse, jsonResponse } from "./respond.ts";
import { ROUTES } from "./routes.ts";
import { type Call, InMaintenance, type Services } from "./services.ts";
import { statusOf } from "./status-of.ts";

const OVERRIDES: ReadonlySet<string> = new Set(["GET", "POST", "PUT", "DELETE"]);

/** Path of a request without its query. */
export const pathOf = (target: string): string => target.split("?", 1)[0] ?? "";

interface Route {
  readonly handler: Handler | null;
  readonly guestSpaceId: number | null;
  readonly isUpload: boolean;
}

function findRoute(request: KintoneRequest): Route | null {
  const match = /^\/k\/(?:guest\/(\d{1,9})\/)?v1\/(.+)$/.exec(pathOf(request.target));
  const name = match?.[2] ?? "";
  const methods = ROUTES.get(name);
  if (match === null || methods === undefined) return null;
  const override = request.headers["x-http-method-override"];
  const method =
    request.method === "POST" && override !== undefined && OVERRIDES.has(override)
      ? override
      : request.method;
  return {
    handler: Object.hasOwn(methods, method) ? (methods[method] ?? null) : null,
    guestSpaceId: match[1] === undefined ? null : Number(match[1]),
    isUpload: name === "file.json" && method === "POST",
  };
}

function readParams(request: KintoneRequest, isUpload: boolean): Params {
  const cut = request.target.indexOf("?");
  const query = cut < 0 ? {} : parseQueryString(request.target.slice(cut + 1));
  if (isUpload || request.body === undefined || request.body.length === 0) return query;
  const text = typeof request.body === "string" ? request.body : Buffer.from(request.body).toString("utf8");
  return { ...query, ...parseJsonBody(text) };
}

/** What breaks under the store is our own fault kind; kintone has no code for it. Nothing of the request was stored. */
function toKintoneError(error: unknown, place: string): KintoneError | null {
  if (error instanceof KintoneError) return error;
  const failure = storageFailure(error);
  if (failure === null) return null;
  const { ja, en } = failure.text;
  return new KintoneError(500, failure.code, { ja: `${ja} (${place})`, en: `${en} (${place})` });
}

export interface Answer {
  readonly response: KintoneResponse;
  /** What broke, for the log of the process; null for every answer kintone itself would give. */
  readonly failure: unknown;
}

const html = (status: number): Answer => ({ response: htmlResponse(status), failure: null });

/**
 * Answers one request (kintone-rest §2-§12): credential -> shape -> app -> permission -> work. Unknown paths
 * are 404 HTML, wrong methods 405 HTML, maintenance 503 HTML, unforeseen errors a 500 JSON body.
 */
export async function answerRequest(
  services: Services,
  request: KintoneRequest,
  fallback: Locale,
): Promise<Answer> {
  if (services.switches.maintenance === "all") return html(503);
  const route = findRoute(request);
  if (route === null) return html(404);
  const { handler, guestSpaceId, isUpload } = route;
  if (handler === null) return html(405);
  let locale = negotiateLocale(request.headers["accept-language"], fallback);
  const upload = isUpload ? await readUpload(request) : null;
  try {
    settleDeploys(services);
    const actor = authenticate(request.headers, services);
    locale = actor.language ?? locale;
    const call: Call = { actor, guestSpaceId, params: readParams(request, isUpload) };
    return { response: handler({ services, call, locale, upload }), failure: null };
  } catch (error) {
    if (error instanceof InMaintenance) return html(503);
    const known = toKintoneError(error, services.database.path) ?? unforeseen();
    const body = JSON.stringify(errorBody(known, locale, services.ids));
    const failure = error instanceof KintoneError ? null : error;
    return { response: jsonResponse(statusOf(services.switches, known), body, known.code), failure };
  }
}

const unforeseen = (): KintoneError =>
  new KintoneError(500, "LOCAL_INTERNAL_ERROR", {
    ja: "サーバー内部でエラーが発生しました。何も変更されていません。",
    en: "An internal error occurred; nothing was stored.",
  });
