/** Who still needs the server. Nobody for `idleMs` ends it; from then on no lease is granted. */
export interface Leases {
  /** Takes a lease and returns what ends it, or null when the server is already ending. */
  acquire(): (() => void) | null;
  readonly count: number;
  dispose(): void;
}

/** Starts counting at once: a server nobody ever uses ends as well. `idleMs` null never ends (resident). */
export function createLeases(idleMs: number | null, onIdle: () => void): Leases {
  let count = 0;
  let closed = false;
  let timer: NodeJS.Timeout | undefined;
  function arm(): void {
    if (idleMs === null || closed || count > 0) return;
    timer = setTimeout(() => {
      closed = true;
      onIdle();
    }, idleMs);
  }
  arm();
  return {
    get count() {
      return count;
    },
    acquire() {
      if (closed) return null;
      clearTimeout(timer);
      count += 1;
      let held = true;
      return () => {
        if (!held) return;
        held = false;
        count -= 1;
        arm();
      };
    },
    dispose() {
      closed = true;
      clearTimeout(timer);
    },
  };
}
