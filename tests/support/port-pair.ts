import type { ServedPort } from "../../main/console/index.ts";
import type { ApiPort } from "../../shared/api/index.ts";

/** The two ends of a line within this process, for the console API without a front. */
export interface PortPair {
  readonly served: ServedPort;
  readonly client: ApiPort;
  close(): void;
}

/** Messages arrive in order, each in a turn of its own, as they would over a socket. */
export function portPair(): PortPair {
  const closers: (() => void)[] = [];
  const end = () => {
    const listeners: ((data: string) => void)[] = [];
    return {
      listeners,
      onMessage: (listener: (data: string) => void) => void listeners.push(listener),
      onClose: (listener: () => void) => void closers.push(listener),
    };
  };
  const left = end();
  const right = end();
  const to = (target: typeof left) => (data: string) =>
    queueMicrotask(() => {
      for (const listener of target.listeners) listener(data);
    });
  return {
    served: {
      post: to(right),
      onMessage: left.onMessage,
      onClose: left.onClose,
      writable: () => Promise.resolve(),
    },
    client: { post: to(left), onMessage: right.onMessage, onClose: right.onClose },
    close() {
      for (const closer of closers) closer();
    },
  };
}
