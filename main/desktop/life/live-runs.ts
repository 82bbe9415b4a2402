import { type ApiPort, type ConsoleApi, createClient, type LiveBatch } from "../../../shared/api/index.ts";
import type { FrontPort, ServedApi } from "../lines.ts";

/** Two ends of a line within this process; the front asks the same API the pages ask, and no other. */
export function linePair(): { readonly near: ApiPort; readonly far: FrontPort; close(): void } {
  const ends = [createEnd(), createEnd()] as const;
  const post = (to: End) => (data: string) => {
    // In a turn of its own, as on every other line.
    if (!to.closed()) queueMicrotask(() => to.deliver(data));
  };
  return {
    near: { ...ends[0].port, post: post(ends[1]) },
    far: { ...ends[1].port, post: post(ends[0]), writable: () => Promise.resolve() },
    close() {
      for (const end of ends) end.close();
    },
  };
}

type End = ReturnType<typeof createEnd>;
function createEnd() {
  const heard: ((data: string) => void)[] = [];
  const ended: (() => void)[] = [];
  let closed = false;
  return {
    port: {
      onMessage: (listener: (data: string) => void) => void heard.push(listener),
      onClose: (listener: () => void) => void ended.push(listener),
    },
    closed: () => closed,
    deliver(data: string) {
      for (const listener of heard) listener(data);
    },
    close() {
      if (closed) return;
      closed = true;
      for (const listener of ended) listener();
    },
  };
}

/** Folds news into the set of operations under way. */
function foldOperations(under: ReadonlySet<string>, batch: LiveBatch): ReadonlySet<string> {
  const next = new Set(under);
  for (const { operationId, endedAt } of batch.operations) {
    if (endedAt === null) next.add(operationId);
    else next.delete(operationId);
  }
  return next;
}

export interface LiveRuns {
  /** Reads the picture again, now. Never rejects: what failed is shown by the pages themselves. */
  readAgain(): Promise<void>;
  dispose(): Promise<void>;
}

/**
 * Follows how many Runs this console executes, over a line of its own. It opens before any page does, so no start
 * is missed.
 */
export function followLiveRuns(api: ServedApi, changed: (count: number) => void): LiveRuns {
  const pair = linePair();
  api.serve(pair.far);
  const client = createClient(() => pair.near);
  const lifetime = new AbortController();
  const following = follow(client, changed, lifetime.signal);
  return {
    async readAgain() {
      await client.runs.refresh({}, { signal: lifetime.signal }).catch(() => undefined);
    },
    async dispose() {
      lifetime.abort();
      pair.close();
      await following;
    },
  };
}

async function follow(
  client: ConsoleApi,
  changed: (count: number) => void,
  signal: AbortSignal,
): Promise<void> {
  let under: ReadonlySet<string> = new Set();
  try {
    for await (const batch of await client.live.watch({}, { signal })) {
      under = foldOperations(under, batch);
      changed(under.size);
    }
  } catch {
    // The line was closed, by us or with the API: nothing is followed any more.
  }
}
