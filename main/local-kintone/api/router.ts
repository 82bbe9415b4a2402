import { KintoneError } from "../errors.ts";
import type { KintoneRequest, KintoneResponse } from "../model.ts";
import { storageFailure } from "../storage/failures.ts";
import type { UploadedFile } from "../storage/files.ts";
import { getApp, getApps, getFormFields } from "./app-endpoints.ts";
import { authenticate } from "./auth.ts";
import { bulkRequest } from "./bulk.ts";
import { getFile, postFile, readUpload } from "./file-endpoints.ts";
import { type Locale, negotiateLocale } from "./locale.ts";
import { type Params, parseJsonBody, parseQueryString } from "./params.ts";
import { getRecord, getRecords } from "./read-records.ts";
import {
  deleteRecords,
  postRecord,
  postRecords,
  putRecord,
  putRecords,
  type Result,
} from "./record-endpoints.ts";
import { errorBody, htmlResponse, jsonResponse } from "./respond.ts";
import type { Call, Services } from "./services.ts";

interface Context {
  readonly services: Services;
  readonly call: Call;
  readonly locale: Locale;
  readonly upload: UploadedFile | null;
}
type Handler = (context: Context) => KintoneResponse;

const read =
  (endpoint: (services: Services, call: Call) => string | Uint8Array): Handler =>
  ({ services, call }) =>
    jsonResponse(200, endpoint(services, call));

const show =
  (endpoint: (services: Services, call: Call) => Result): Handler =>
  ({ services, call }) =>
    jsonResponse(200, JSON.stringify(endpoint(services, call)));

/** One write, one immediate transaction (kintone-rest §7). */
const write =
  (endpoint: (services: Services, call: Call) => Result): Handler =>
  ({ services, call }) =>
    jsonResponse(200, JSON.stringify(services.database.write(() => endpoint(services, call))));

const bulk: Handler = ({ services, call, locale }) => {
  const answer = bulkRequest(services, call, { locale, ids: services.ids });
  const body = JSON.stringify({ results: answer.results });
  return jsonResponse(answer.status, body, answer.code ?? undefined);
};

const ROUTES: ReadonlyMap<string, Readonly<Record<string, Handler>>> = new Map([
  ["record.json", { GET: read(getRecord), POST: write(postRecord), PUT: write(putRecord) }],
  [
    "records.json",
    {
      GET: read(getRecords),
      POST: write(postRecords),
      PUT: write(putRecords),
      DELETE: write(deleteRecords),
    },
  ],
  ["bulkRequest.json", { POST: bulk }],
  [
    "file.json",
    {
      GET: ({ services, call }: Context) => getFile(services, call),
      POST: ({ services, upload }: Context) => jsonResponse(200, JSON.stringify(postFile(services, upload))),
    },
  ],
  ["app.json", { GET: show(getApp) }],
  ["apps.json", { GET: show(getApps) }],
  ["app/form/fields.json", { GET: show(getFormFields) }],
]);

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
    handler: methods[method] ?? null,
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

/**
 * Answers one request (kintone-rest §2-§12): credential -> shape -> app -> permission -> work. Unknown paths
 * are 404 HTML, wrong methods 405 HTML, unforeseen errors a 500 JSON body.
 */
export async function answerRequest(
  services: Services,
  request: KintoneRequest,
  fallback: Locale,
): Promise<Answer> {
  const route = findRoute(request);
  if (route === null) return { response: htmlResponse(404), failure: null };
  if (route.handler === null) return { response: htmlResponse(405), failure: null };
  const locale = negotiateLocale(request.headers["accept-language"], fallback);
  const upload = route.isUpload ? await readUpload(request) : null;
  try {
    const actor = authenticate(request.headers, services);
    const params = readParams(request, route.isUpload);
    const call = { actor, guestSpaceId: route.guestSpaceId, params };
    return { response: route.handler({ services, call, locale, upload }), failure: null };
  } catch (error) {
    const known = toKintoneError(error, services.database.path) ?? unforeseen();
    const body = JSON.stringify(errorBody(known, locale, services.ids));
    const failure = error instanceof KintoneError ? null : error;
    return { response: jsonResponse(known.status, body, known.code), failure };
  }
}

const unforeseen = (): KintoneError =>
  new KintoneError(500, "LOCAL_INTERNAL_ERROR", {
    ja: "サーバー内部でエラーが発生しました。何も変更されていません。",
    en: "An internal error occurred; nothing was stored.",
  });
