/** Requests that a resident poller carries out beside its cycles. */
export interface UnderWay {
  has(requestId: string): boolean;
  /** Something of this network is under way. */
  holds(networkId: string): boolean;
  size(): number;
  /** Starts `work` at once and keeps it until it has settled. */
  add(requestId: string, networkId: string | null, work: () => Promise<void>): void;
  /** Waits for all of it. Never rejects. */
  settled(): Promise<void>;
}

/** `ended` is told after each, when its network is free again. */
export function createUnderWay(ended: () => void): UnderWay {
  const networks = new Map<string, string | null>();
  const working = new Set<Promise<void>>();
  return {
    has: (requestId) => networks.has(requestId),
    holds: (networkId) => [...networks.values()].includes(networkId),
    size: () => networks.size,
    add(requestId, networkId, work) {
      networks.set(requestId, networkId);
      const kept = work()
        .catch(() => undefined)
        .then(() => {
          networks.delete(requestId);
          working.delete(kept);
          ended();
        });
      working.add(kept);
    },
    async settled() {
      await Promise.all(working);
    },
  };
}
