import type { ParsedRequest } from "../../../shared/domain/request.ts";
import type { RequestStore } from "../../store/index.ts";

/** Rows of one page; what a page of the screen holds. */
export const PAGE_ROWS = 50;
/** The most open requests one reading looks at, as a poller does (orchestration §7.1). */
const OPEN_LIMIT = 500;

/** The request app as last read. */
export interface QueuePicture {
  readonly open: readonly ParsedRequest[];
  /** The newest records of any state. */
  readonly recent: readonly ParsedRequest[];
  /** Of the last reading of both; ISO-8601, null before the first. */
  readonly readAt: string | null;
}

export interface RequestQueue {
  current(): QueuePicture;
  /** Reads both lists: two requests. Throws `FlowError`. */
  read(signal: AbortSignal): Promise<void>;
  /** The same store; what its readings of the open requests bring is taken over, so that a poller's cycle costs nothing twice. */
  readonly store: RequestStore;
}

export interface QueueDeps {
  readonly store: RequestStore;
  /** Epoch milliseconds. */
  readonly nowMs: () => number;
  /** Told when a poller's own reading found other open requests than were known. */
  readonly moved: () => void;
}

/** What is known of the request app: read at the live model's own pace, and along with the poller (operator-ux U1, U2). */
export function createRequestQueue({ store, nowMs, moved }: QueueDeps): RequestQueue {
  let picture: QueuePicture = { open: [], recent: [], readAt: null };
  const observe = (open: readonly ParsedRequest[]): void => {
    const before = stateOf(picture.open);
    picture = { ...picture, open };
    if (picture.readAt !== null && stateOf(open) !== before) moved();
  };
  return {
    current: () => picture,
    async read(signal) {
      const [open, recent] = await Promise.all([
        store.listOpen(OPEN_LIMIT, signal),
        store.listRecent({ limit: PAGE_ROWS, beforeId: null }, signal),
      ]);
      picture = { open, recent, readAt: new Date(nowMs()).toISOString() };
    },
    store: {
      ...store,
      async listOpen(limit, signal) {
        const open = await store.listOpen(limit, signal);
        observe(open);
        return open;
      },
    },
  };
}

const stateOf = (open: readonly ParsedRequest[]): string =>
  open
    .map((each) => JSON.stringify(each.valid ? [each.request.id, each.request.revision] : each.identity))
    .join();
