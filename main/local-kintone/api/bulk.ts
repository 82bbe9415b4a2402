import { invalid, KintoneError } from "../errors.ts";
import type { IdSource } from "../model.ts";
import { TEXT } from "../texts.ts";
import type { Locale } from "./locale.ts";
import { isObject, type Params } from "./params.ts";
import {
  deleteRecords,
  postRecord,
  postRecords,
  putRecord,
  putRecords,
  type Result,
} from "./record-endpoints.ts";
import { errorBody } from "./respond.ts";
import type { Call, Services } from "./services.ts";
import { putAssignees, putStatus, putStatuses } from "./status-endpoints.ts";

const MAX_REQUESTS = 20;

/** Carries the place of the failing sub-request out of the transaction that its error rolled back. */
class SubRequestError extends Error {
  override readonly name = "SubRequestError";
  readonly index: number;
  readonly error: KintoneError;

  constructor(index: number, error: KintoneError) {
    super(error.message, { cause: error });
    this.index = index;
    this.error = error;
  }
}

type Write = (services: Services, call: Call) => Result;

const WRITES: ReadonlyMap<string, Write> = new Map([
  ["POST record.json", postRecord],
  ["POST records.json", postRecords],
  ["PUT record.json", putRecord],
  ["PUT records.json", putRecords],
  ["DELETE records.json", deleteRecords],
  ["PUT record/status.json", putStatus],
  ["PUT records/status.json", putStatuses],
  ["PUT record/assignees.json", putAssignees],
]);

interface SubRequest {
  readonly write: Write;
  readonly guestSpaceId: number | null;
  readonly payload: Params;
}

function readSubRequest(raw: unknown, index: number): SubRequest {
  const at = `requests[${index}]`;
  if (!isObject(raw)) throw invalid(at, TEXT.badShape);
  const match = /^\/k\/(?:guest\/(\d+)\/)?v1\/(.+)$/.exec(String(raw.api ?? ""));
  const write = WRITES.get(`${String(raw.method ?? "")} ${match?.[2] ?? ""}`);
  if (match === null || write === undefined) throw invalid(`${at}.api`, TEXT.enumValue);
  if (!isObject(raw.payload)) throw invalid(`${at}.payload`, TEXT.parameterRequired);
  return {
    write,
    guestSpaceId: match[1] === undefined ? null : Number(match[1]),
    payload: raw.payload,
  };
}

/** A bulk request of a guest space reaches apps of that space only, an ordinary one none of them (kintone-rest §9). */
function checkSpaces(requests: readonly SubRequest[], guestSpaceId: number | null): void {
  const stranger = requests.findIndex((request) => request.guestSpaceId !== guestSpaceId);
  if (stranger >= 0) throw invalid(`requests[${stranger}].api`, TEXT.enumValue);
}

function readRequests(value: unknown): readonly SubRequest[] {
  if (value === undefined || value === null) throw invalid("requests", TEXT.parameterRequired);
  if (!Array.isArray(value)) throw invalid("requests", TEXT.badShape);
  if (value.length > MAX_REQUESTS) throw invalid("requests", TEXT.bulkLimit);
  return value.map((raw: unknown, index) => readSubRequest(raw, index));
}

function run(services: Services, call: Call, requests: readonly SubRequest[]): Result[] {
  return requests.map((request, index) => {
    try {
      const { guestSpaceId, payload } = request;
      return request.write(services, { actor: call.actor, guestSpaceId, params: payload });
    } catch (error) {
      if (error instanceof KintoneError) throw new SubRequestError(index, error);
      throw error;
    }
  });
}

export interface BulkAnswer {
  readonly status: number;
  readonly code: string | null;
  readonly results: readonly Result[];
}

/**
 * POST `bulkRequest.json`: one transaction over all sub-requests, attachments included; the first failure
 * rolls everything back and gives its status and its place in `results` (kintone-rest §9).
 */
export function bulkRequest(
  services: Services,
  call: Call,
  language: { readonly locale: Locale; readonly ids: IdSource },
): BulkAnswer {
  const requests = readRequests(call.params.requests);
  checkSpaces(requests, call.guestSpaceId);
  try {
    const results = services.database.write(() => run(services, call, requests));
    return { status: 200, code: null, results };
  } catch (error) {
    if (!(error instanceof SubRequestError)) throw error;
    const failed = errorBody(error.error, language.locale, language.ids);
    const results = requests.map((_, index) => (index === error.index ? failed : {}));
    return { status: error.error.status, code: error.error.code, results };
  }
}
