import type { Locale } from "./api/locale.ts";
import { errorBody, jsonResponse } from "./api/respond.ts";
import { answerRequest, pathOf } from "./api/router.ts";
import type { Services } from "./api/services.ts";
import { overLimit } from "./faults/answers.ts";
import { createFaultClock } from "./faults/clock.ts";
import type { ServerCore } from "./faults/core.ts";
import { createFaults, type Faults } from "./faults/faults.ts";
import { type Listening, type ListenOptions, listenOnLoopback } from "./http/listen.ts";
import type { IdSource, KintoneRequest, KintoneResponse } from "./model.ts";
import type { LocalKintoneOptions } from "./options.ts";
import { createProvision, type Provision } from "./provision.ts";
import { openStore } from "./reopen.ts";

export interface LocalKintone {
  /** Answers one request in process; never rejects. */
  handle(request: KintoneRequest): Promise<KintoneResponse>;
  readonly provision: Provision;
  /** Faults on command; null for a server that was not made to fail (kintone-rest §19). */
  readonly faults: Faults | null;
  /** Serves HTTP on loopback; rejects with FlowError `PORT_BUSY`. `port` 0 takes a free one. */
  listen(options: ListenOptions): Promise<Listening>;
  /** Ends every listener and closes the file. */
  dispose(): Promise<void>;
}

function countSubRequests(request: KintoneRequest): number {
  if (!pathOf(request.target).endsWith("/bulkRequest.json") || request.body === undefined) return 0;
  const text = typeof request.body === "string" ? request.body : Buffer.from(request.body).toString("utf8");
  try {
    const parsed: unknown = JSON.parse(text);
    const list =
      typeof parsed === "object" && parsed !== null && "requests" in parsed ? parsed.requests : null;
    return Array.isArray(list) ? list.length : 0;
  } catch {
    return 0;
  }
}

/** Opens the store and builds the server over it (kintone-rest §0); throws what opening the file throws. */
export function createLocalKintone(options: LocalKintoneOptions): LocalKintone {
  const clock = options.faults === undefined ? null : createFaultClock(options.clock);
  const store = openStore(clock === null ? options : { ...options, clock }, clock !== null);
  const { services } = store;
  const fallback = options.defaultLocale ?? "ja";
  const limit = options.concurrencyLimit ?? 100;
  const delay = options.delayMs ?? 0;
  const closing = new AbortController();
  const listeners = new Set<Listening>();
  let running = 0;

  async function serve(request: KintoneRequest, on: Services = services): Promise<KintoneResponse> {
    const { response, failure } = await answerRequest(on, request, fallback);
    if (failure !== null) options.onFailure?.(failure);
    services.usage.settle();
    return response;
  }

  async function listen(listenOptions: ListenOptions): Promise<Listening> {
    const listening = await listenOnLoopback(handle, listenOptions);
    listeners.add(listening);
    await faults?.addPort(listening, listenOptions.client ?? null);
    return listening;
  }

  const core: ServerCore = {
    services: () => services,
    serve,
    whileClosed: store.whileClosed,
    listen: (client) => listen({ port: 0, client }),
  };
  const faults =
    options.faults === undefined || clock === null
      ? null
      : createFaults({ options: options.faults, core, clock, wording: { fallback, ids: options.ids } });

  async function answer(request: KintoneRequest): Promise<KintoneResponse> {
    if (delay > 0) await wait(delay, closing.signal);
    return faults === null ? serve(request) : faults.answer(request);
  }

  async function handle(request: KintoneRequest): Promise<KintoneResponse> {
    running += 1;
    try {
      const response = running > limit ? overloaded(fallback, services.ids) : await answer(request);
      const { method, target } = request;
      options.onArrival?.({
        method,
        path: pathOf(target),
        status: response.status,
        subRequests: countSubRequests(request),
      });
      return {
        ...response,
        headers: {
          "X-ConcurrencyLimit-Limit": String(limit),
          "X-ConcurrencyLimit-Running": String(running),
          // A gate made by a fault says its own limit.
          ...response.headers,
        },
      };
    } finally {
      running -= 1;
    }
  }

  return {
    handle,
    provision: createProvision(services),
    faults,
    listen,
    async dispose() {
      closing.abort();
      faults?.dispose();
      await Promise.all([...listeners].map((listening) => listening.close()));
      store.dispose();
    },
  };
}

function overloaded(locale: Locale, ids: IdSource): KintoneResponse {
  const error = overLimit();
  const response = jsonResponse(error.status, JSON.stringify(errorBody(error, locale, ids)), error.code);
  return {
    ...response,
    headers: { ...response.headers, "Cache-Control": "no-cache, no-store, must-revalidate" },
  };
}

/** Resolves after `milliseconds`, or at once when the server is being disposed. */
function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    signal.addEventListener("abort", done, { once: true });
    if (signal.aborted) done();
  });
}
