import type { RequestDetail, RequestPage, RequestView } from "../../../shared/api/index.ts";
import type { RequestsPicture } from "../../../shared/domain/attention-request.ts";
import { FlowError, fail, ok, type Result } from "../../../shared/domain/problem.ts";
import { REQUEST_STALE_AFTER_MS } from "../../../shared/domain/request.ts";
import type { FlowReads, RequestStore } from "../../store/index.ts";
import type { LiveModel } from "../live-model-ports.ts";
import { PAGE_ROWS, type RequestQueue } from "./queue.ts";
import { type OwnPoller, pollerPicture, pollerView, type RowFacts, requestIdOf, rowOf } from "./rows.ts";

export interface RequestsDeps {
  /** Null where no request app is configured. */
  readonly queue: RequestQueue | null;
  readonly reads: Pick<FlowReads, "findRunIdOfInvocation">;
  readonly live: Pick<LiveModel, "known" | "row" | "freshnessOf" | "readSource">;
  readonly host: string;
  /** The poller of this console; null where it has none. */
  readonly poller: () => OwnPoller | null;
  /** Silence after which a claim may be stale; the usual one where this console does not poll. Milliseconds. */
  readonly staleAfterMs?: number;
  /** Epoch milliseconds. */
  readonly nowMs: () => number;
}

export interface Requests {
  /** Rows of the queue, newest first; `before`: older than this id. Throws `FlowError`. */
  list(
    wish: { readonly view: "all" | "open"; readonly before?: string | undefined },
    signal?: AbortSignal,
  ): Promise<RequestPage>;
  /** One record, read now. Code `REQUEST_NOT_FOUND`. Throws `FlowError`. */
  detail(requestId: string, signal?: AbortSignal): Promise<Result<RequestDetail>>;
  /** Reads the list now; when. Throws `FlowError`. */
  refresh(signal?: AbortSignal): Promise<string>;
  /** What the list of what needs somebody is made of; null before the first reading and where there is no app. */
  picture(): RequestsPicture | null;
}

/** 操作要求 (orchestration §7): the queue as last read, one record read now, and the health of who carries it out. */
export function createRequests(deps: RequestsDeps): Requests {
  const { queue } = deps;
  const staleAfterMs = deps.staleAfterMs ?? REQUEST_STALE_AFTER_MS;
  const factsNow = (): RowFacts => ({
    open: queue?.current().open ?? [],
    host: deps.host,
    staleAfterMs,
    now: deps.nowMs(),
  });
  const page = (rows: Pick<RequestPage, "rows" | "next">): RequestPage => {
    const current = queue?.current() ?? { open: [], recent: [], readAt: null };
    return {
      configured: queue !== null,
      ...rows,
      openCount: current.open.length,
      poller: pollerView(current, deps.poller(), { staleAfterMs, now: deps.nowMs() }),
      readAt: current.readAt,
    };
  };
  return {
    async list({ view, before }, signal) {
      if (queue === null) return page({ rows: [], next: null });
      if (queue.current().readAt === null) await queue.read(signal ?? new AbortController().signal);
      const { open, recent } = queue.current();
      if (view === "open")
        return page({ rows: newestFirst(open).map((each) => rowOf(each, factsNow())), next: null });
      const found =
        before === undefined
          ? recent
          : await queue.store.listRecent({ limit: PAGE_ROWS, beforeId: before }, signal);
      return page({ rows: found.map((each) => rowOf(each, factsNow())), next: nextOf(found) });
    },
    async detail(requestId, signal) {
      const parsed = (await queue?.store.read(requestId, signal)) ?? null;
      if (parsed === null) return fail(notFound(requestId));
      const row = rowOf(parsed, factsNow());
      const run = row.readable ? await runOf(row.request, deps, signal) : null;
      return ok({ row, run, readAt: new Date(deps.nowMs()).toISOString() });
    },
    async refresh(signal) {
      // Through the live model, so that everybody who looks hears of it.
      await untilOrAborted(deps.live.readSource("request"), signal);
      const problem = deps.live.freshnessOf("request")?.problem ?? null;
      if (problem !== null) throw new FlowError(problem);
      return new Date(deps.nowMs()).toISOString();
    },
    picture() {
      const current = queue?.current();
      if (current === undefined || current.readAt === null) return null;
      return { open: current.open, poller: pollerPicture(deps.poller()?.health() ?? null), staleAfterMs };
    },
  };
}

/** Waits for the reading or the signal, whichever is first; throws the signal's reason. */
async function untilOrAborted(reading: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  if (signal === undefined) return reading;
  const aborted = Promise.withResolvers<never>();
  const onAbort = (): void => aborted.reject(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    await Promise.race([reading, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

type Found = Awaited<ReturnType<RequestStore["listRecent"]>>;

const newestFirst = (open: Found): Found =>
  open.toSorted((a, b) => Number(requestIdOf(b) ?? 0) - Number(requestIdOf(a) ?? 0));

/** A page that is full has older ones behind it. */
function nextOf(found: Found): string | null {
  if (found.length < PAGE_ROWS) return null;
  return found.map(requestIdOf).findLast((id) => id !== null) ?? null;
}

const INVOCATION = /(?:^|; )invocation_id=(\S+?)(?:;|\s|$)/;

/** The Run a request names, or the one its START led to: by its key, or by the invocation its result tells. */
async function runOf(
  { runId, networkId, businessKey, resultMessage }: RequestView,
  { reads, live }: RequestsDeps,
  signal?: AbortSignal,
): Promise<RequestDetail["run"]> {
  const named =
    runId ??
    live.known().find((row) => row.networkId === networkId && row.businessKey === businessKey)?.runId;
  if (named !== undefined && named !== null) {
    return { runId: named, businessKey: live.row(named)?.businessKey ?? businessKey };
  }
  const invocationId = INVOCATION.exec(resultMessage ?? "")?.[1];
  if (invocationId === undefined) return null;
  const found = await reads.findRunIdOfInvocation(invocationId, signal).catch(() => null);
  return found === null ? null : { runId: found, businessKey: live.row(found)?.businessKey ?? null };
}

const notFound = (requestId: string) => ({
  code: "REQUEST_NOT_FOUND",
  message: "There is no request of this number.",
  place: `request ${requestId}`,
  remedy: "Look at the list of requests again.",
});
