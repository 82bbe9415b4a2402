import type { Clock, IdSource } from "../model.ts";

/** An open cursor: the rows of a query as they were when it was made (kintone-rest §10). */
export interface Cursor {
  readonly id: string;
  readonly app: number;
  readonly guestSpaceId: number | null;
  /** Combined record keys not yet read, in order. */
  readonly keys: readonly number[];
  readonly position: number;
  readonly size: number;
  /** Codes to answer; null answers every field. */
  readonly codes: readonly string[] | null;
}

/** Cursors of the domain. They live in memory: nobody expects one to outlive the server that made it. */
export interface CursorStore {
  /** False when the domain holds as many as it may (kintone-rest §10). */
  hasRoom(): boolean;
  open(cursor: Omit<Cursor, "id" | "position">): Cursor;
  find(id: string): Cursor | null;
  /** Moves a cursor on and renews its life. */
  advance(cursor: Cursor, position: number): void;
  /** True when there was such a cursor. */
  close(id: string): boolean;
}

/** Live cursors per domain (kintone-rest §10). */
const MAX_CURSORS = 10;

interface Held {
  readonly cursor: Cursor;
  readonly until: number;
}

/** Creates the store; `lifetime` in milliseconds is asked at each use, because drills shorten it. */
export function createCursorStore(clock: Clock, ids: IdSource, lifetime: () => number): CursorStore {
  const held = new Map<string, Held>();
  function expire(): void {
    for (const [id, { until }] of held) if (until <= clock.now()) held.delete(id);
  }
  const keep = (cursor: Cursor): void => {
    held.set(cursor.id, { cursor, until: clock.now() + lifetime() });
  };
  return {
    hasRoom() {
      expire();
      return held.size < MAX_CURSORS;
    },
    open(input) {
      const cursor = { ...input, id: uuid(ids), position: 0 };
      keep(cursor);
      return cursor;
    },
    find(id) {
      expire();
      return held.get(id)?.cursor ?? null;
    },
    advance: (cursor, position) => keep({ ...cursor, position }),
    close(id) {
      expire();
      return held.delete(id);
    },
  };
}

/** A random UUID of version 4 from the injected source. */
export function uuid(ids: IdSource): string {
  const text = Buffer.from(ids.random(16)).toString("hex");
  const variant = ((Number.parseInt(text.charAt(16), 16) & 3) | 8).toString(16);
  return [
    text.slice(0, 8),
    text.slice(8, 12),
    `4${text.slice(13, 16)}`,
    `${variant}${text.slice(17, 20)}`,
    text.slice(20),
  ].join("-");
}
