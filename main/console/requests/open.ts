import type { Freshness, Operation } from "../../../shared/api/index.ts";
import type { RequestsPicture } from "../../../shared/domain/attention-request.ts";
import type { ResidentPoller } from "../../orchestrator/index.ts";
import type { RequestStore } from "../../store/index.ts";
import type { LiveModel, Probe, ProbedSource } from "../live-model-ports.ts";
import type { Workspace } from "../ports.ts";
import type { PollOptions } from "../request-poller/index.ts";
import { createRequestQueue } from "./queue.ts";
import { createRequests, type Requests } from "./requests.ts";

export interface RequestDeskDeps {
  readonly workspace: Pick<Workspace, "requestStore" | "probes" | "ready" | "reads" | "host">;
  /** Of this console's own poller; absent: it has none. */
  readonly options: PollOptions | undefined;
  /** Epoch milliseconds. */
  readonly nowMs: () => number;
}

/** What the rest of the console takes from the requests, before and after the live model stands. */
export interface RequestDesk {
  /** Asking whether the request app answers reads its queue, so that one request serves both. */
  readonly probes: ReadonlyMap<ProbedSource, Probe>;
  /** For the poller of this console; null where no request app is configured. */
  readonly store: RequestStore | null;
  /** Connects what could not stand before; called once. */
  connect(to: { readonly live: LiveModel; readonly poller: ResidentPoller | null }): Requests;
  /** What the attention list is made of. */
  attention(): { readonly picture: RequestsPicture | null; readonly freshness: Freshness | null };
  /** A request was made or taken back here: it is read at once, and the poller of this console looks at once. */
  heard(operation: Pick<Operation, "kind" | "endedAt">): void;
}

/** What changes a request by this console's own hand. */
const ASKED: ReadonlySet<Operation["kind"]> = new Set(["request", "requestCancel", "requestSettle"]);
const UNREAD: Freshness = { source: "request", readAt: null, origin: "read", intervalMs: 0, problem: null };

/** The request app of a workspace, read at the live model's pace and along with the poller (operator-ux U1, U2, U9). */
export function openRequestDesk({ workspace, options, nowMs }: RequestDeskDeps): RequestDesk {
  const { requestStore, probes, ready, reads, host } = workspace;
  let live: LiveModel | null = null;
  let poller: ResidentPoller | null = null;
  let requests: Requests | null = null;
  const readNow = (): void => void live?.readSource("request");
  const queue =
    requestStore === null ? null : createRequestQueue({ store: requestStore, nowMs, moved: readNow });
  const read: Probe | null =
    queue === null
      ? null
      : async (signal) => {
          // Nothing read before the check may be shown as fresh: it could come from the wrong app.
          await ready(signal);
          await queue.read(signal);
        };
  return {
    probes: read === null ? probes : new Map([...probes, ["request", read]]),
    store: queue?.store ?? null,
    connect(to) {
      ({ live, poller } = to);
      const own = poller;
      requests = createRequests({
        queue,
        reads,
        live: to.live,
        host,
        poller: () =>
          own === null || options === undefined
            ? null
            : { intervalMs: options.intervalMs, health: own.health },
        ...(options === undefined ? {} : { staleAfterMs: options.staleAfterMs }),
        nowMs,
      });
      return requests;
    },
    attention: () => ({
      picture: requests?.picture() ?? null,
      freshness: queue === null ? null : (live?.freshnessOf("request") ?? UNREAD),
    }),
    heard({ kind, endedAt }) {
      if (endedAt === null || !ASKED.has(kind)) return;
      readNow();
      poller?.wake();
    },
  };
}
