import type { WebSocket } from "ws";
import { HIGH_WATER_BYTES, OVERFLOW_BYTES } from "./policy.ts";
import type { FrontPort } from "./ports.ts";

/** How often a full line looks whether it drained, in milliseconds; `ws` tells the amount, not the moment. */
const DRAIN_LOOK_MS = 25;

/**
 * A WebSocket as the API's port. Streams wait for `writable`; a line that fills up all the same is cut, so that one
 * page that stopped reading cannot fill the memory of the console.
 */
export function socketPort(
  socket: WebSocket,
  wait: (ms: number, signal: AbortSignal) => Promise<void>,
): FrontPort {
  const closed = new AbortController();
  socket.once("close", () => closed.abort());
  return {
    post(data) {
      if (socket.readyState !== socket.OPEN) return;
      if (socket.bufferedAmount > OVERFLOW_BYTES) {
        socket.close(1013, "reader too slow");
        return;
      }
      socket.send(data);
    },
    onMessage(listener) {
      socket.on("message", (data, isBinary) => {
        if (isBinary) socket.close(1003, "text messages only");
        else hand(listener, data.toString(), socket);
      });
    },
    onClose(listener) {
      socket.once("close", () => listener());
    },
    async writable() {
      while (!closed.signal.aborted && socket.bufferedAmount > HIGH_WATER_BYTES) {
        await wait(DRAIN_LOOK_MS, closed.signal);
      }
    },
    unreadable: () => socket.close(1007, "unreadable message"),
  };
}

/** What a stranger's message does to its reader must end this line alone, never the process. */
function hand(listener: (data: string) => void, data: string, socket: WebSocket): void {
  try {
    listener(data);
  } catch {
    socket.close(1011, "failed at a message");
  }
}
