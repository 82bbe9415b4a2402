import { instantOf } from "../../../../shared/domain/datetime.ts";
import type { RecordRef, Stored } from "../../../../shared/domain/model.ts";
import { FlowError, type Result } from "../../../../shared/domain/problem.ts";
import {
  type OperationRequest,
  type ParsedRequest,
  parseRequest,
} from "../../../../shared/domain/request.ts";
import { requestCodec, requestQueries, type WireRecord } from "../../../../shared/records/index.ts";
import {
  getRecords,
  recordIdOf,
  refusalProblem,
  requireValue,
  type SendOptions,
  sendRead,
  unknownProblem,
  write,
} from "../../../kintone-client/index.ts";
import type { LoneWrite, RequestStore, RequestWish } from "../../ports.ts";
import { updateLone } from "./record-write.ts";
import type { LoneDeps } from "./send-lone.ts";

const minuteOf = (at: string | null): number | null => {
  const instant = instantOf(at);
  return instant === null ? null : Math.floor(instant / 60_000);
};
/** kintone cuts what it stores to the minute (kintone-rest §8.4). */
const sameMinuteAs = (a: string, b: string | null): boolean => minuteOf(a) === minuteOf(b);

function decode(wire: unknown): Result<Stored<OperationRequest>> {
  const row = requestCodec.decode(wire);
  if (!row.ok) return row;
  const parsed = parseRequest(row.value);
  if (parsed.valid) {
    const { request } = parsed;
    return { ok: true, value: { ...request, ref: { recordId: request.id, revision: request.revision } } };
  }
  return {
    ok: false,
    error: {
      code: "RECORD_UNREADABLE",
      message: `The request cannot be read: ${parsed.issues.map(({ code, field }) => `${field} ${code}`).join(", ")}.`,
      place: parsed.identity === null ? "request record" : `request ${parsed.identity.id}`,
    },
  };
}

const idOf = (parsed: ParsedRequest): string | undefined =>
  parsed.valid ? parsed.request.id : parsed.identity?.id;

/** The request app (wire-format §1.3, §4.2, orchestration §7.3). Every write is fenced by the record's revision. */
export function createRequestStore(deps: LoneDeps, requestApp: number): RequestStore {
  async function rows(query: string, signal?: AbortSignal): Promise<readonly ParsedRequest[]> {
    const answer = await sendRead(deps, getRecords(requestApp, query), signal ? { signal } : {});
    return requireValue(answer, "read the requests").map((raw) => {
      const row = requestCodec.decode(raw);
      if (!row.ok) throw new FlowError(row.error);
      return parseRequest(row.value);
    });
  }

  function update(
    ref: RecordRef,
    record: WireRecord,
    says: (request: OperationRequest) => boolean,
    what: string,
    signal?: AbortSignal,
  ): Promise<LoneWrite> {
    const described = { app: requestApp, ref, record, decode, says, what, name: "The request" };
    return updateLone(deps, described, signal);
  }

  return {
    async listOpen(limit, signal) {
      const open = await rows(requestQueries.open(limit), signal);
      if (open.length < limit) return open;
      // A page full of what nobody ended must not hide what waits behind it (W-10).
      const known = new Set(open.map(idOf));
      const waiting = await rows(requestQueries.waiting(limit), signal);
      return [...open, ...waiting.filter((each) => !known.has(idOf(each)))];
    },
    listRecent: ({ limit, beforeId }, signal) => rows(requestQueries.recent(limit, beforeId), signal),
    async read(id, signal) {
      const [request] = await rows(requestQueries.byId(id), signal);
      return request ?? null;
    },
    insertRequest: (wish, signal) => insertRequest(deps, requestApp, wish, signal),
    claim(ref, claim, signal) {
      // Host and minute name the claimer as far as the record can: two pollers of one host in one minute are told
      // apart by the host guard, and what they would do twice by the Network lock.
      const says = (request: OperationRequest): boolean =>
        request.state === "ACCEPTED" &&
        request.claim?.host === claim.host &&
        sameMinuteAs(claim.at, request.claim.at);
      return update(ref, requestCodec.encodeClaim(claim), says, "take the request", signal);
    },
    beat(ref, at, signal) {
      const says = (request: OperationRequest): boolean =>
        request.state === "ACCEPTED" && sameMinuteAs(at, request.claim?.heartbeatAt ?? null);
      return update(ref, requestCodec.encodeHeartbeat(at), says, "renew the claim", signal);
    },
    end(ref, ending, signal) {
      const says = (request: OperationRequest): boolean =>
        request.state === ending.state &&
        request.resultCode === ending.resultCode &&
        (request.resultMessage ?? "") === ending.resultMessage;
      return update(ref, requestCodec.encodeResult(ending), says, "write the result", signal);
    },
    tickCancel(ref, signal) {
      const says = (request: OperationRequest): boolean => request.cancelRequested;
      return update(ref, requestCodec.encodeCancelTick(true), says, "take the request back", signal);
    },
  };
}

/**
 * Adds a request. It has no unique key, so a lost answer is never followed by another copy: the newest record is read
 * before, and a single new one that says the same is taken for ours.
 */
async function insertRequest(
  deps: LoneDeps,
  requestApp: number,
  wish: RequestWish,
  signal?: AbortSignal,
): Promise<LoneWrite> {
  const options = signal ? { signal } : {};
  const what = "add the request";
  const newest = await newestId(deps, requestApp, options);
  const operation = write({ kind: "addRecord", app: requestApp, record: requestCodec.encode(wish) });
  const answer = await deps.transport.send(operation, options);
  if (answer.kind === "refused") return { kind: "refused", problem: refusalProblem(answer, what) };
  if (answer.kind === "ok") {
    const [ref] = answer.value.refs;
    if (ref?.recordId) return { kind: "applied", ref: { recordId: ref.recordId, revision: ref.revision } };
  } else if (answer.neverLeft === true) {
    return { kind: "refused", problem: unknownProblem(answer, what) };
  }
  const seen = await sendRead(deps, getRecords(requestApp, requestQueries.since(newest)), options);
  if (seen.kind !== "ok") return { kind: "unsettled", problem: notSeen(0) };
  const equal = seen.value.flatMap((raw) => {
    const request = decode(raw);
    return request.ok && saysWish(request.value, wish) ? [request.value.ref] : [];
  });
  const [ours] = equal;
  if (ours !== undefined && equal.length === 1) return { kind: "applied", ref: ours };
  return { kind: "unsettled", problem: notSeen(equal.length) };
}

async function newestId(deps: LoneDeps, requestApp: number, options: SendOptions): Promise<string> {
  const answer = await sendRead(deps, getRecords(requestApp, requestQueries.recent(1, null)), options);
  const [raw] = requireValue(answer, "read the requests");
  return (raw === undefined ? null : recordIdOf(raw)) ?? "0";
}

const saysWish = (request: OperationRequest, wish: RequestWish): boolean =>
  request.type === wish.type &&
  request.runId === (wish.runId ?? "") &&
  request.networkId === wish.networkId &&
  request.businessKey === wish.businessKey &&
  request.rerunFromNode === wish.rerunFromNode &&
  request.reason === wish.reason;

const notSeen = (count: number) => ({
  code: "WRITE_UNCERTAIN",
  message:
    count === 0
      ? "The answer was lost, and no such request is to be seen yet; it may still arrive."
      : `The answer was lost, and ${count} equal requests are to be seen; which is this one cannot be known.`,
  remedy: "Look at the list of requests in a minute before asking again.",
});
