import type { Look, Source } from "../../shared/api/index.ts";

/** What the windows of this console show, by window (operator-ux U2, U8). */
export interface Looks {
  /** Takes what a window shows; false when that changes nothing for the readings. */
  set(look: Look): boolean;
  /** The window is gone, and with it what it asked to be read for. */
  drop(viewerId: string): void;
  /** Somebody looks at what the source tells. `unnamed`: readers that never said what they show. */
  looked(source: Source, unnamed: boolean): boolean;
  /** The Runs that are open in a visible window. */
  openRuns(): readonly string[];
}

export function createLooks(): Looks {
  const looks = new Map<string, Look>();
  const visible = (): readonly Look[] => [...looks.values()].filter((look) => look.visible);
  return {
    set(look) {
      const before = looks.get(look.viewerId);
      looks.set(look.viewerId, look);
      return before === undefined || JSON.stringify(before) !== JSON.stringify(look);
    },
    drop: (viewerId) => void looks.delete(viewerId),
    looked: (source, unnamed) => unnamed || visible().some((look) => look.sources.includes(source)),
    openRuns: () => visible().flatMap((look) => (look.runId === null ? [] : [look.runId])),
  };
}
