import { type ClientRequest, request } from "node:http";
import type { ServerFile } from "./server-file.ts";

export interface HeldLease {
  /** Aborted when the lease ended without our doing: the server died. */
  readonly lost: AbortSignal;
  release(): Promise<void>;
}

const ANSWER_MS = 5_000;

function open(server: ServerFile): ClientRequest {
  return request(`${server.controlUrl}/lease`, {
    agent: false,
    headers: { authorization: `Bearer ${server.controlToken}` },
  });
}

/**
 * Takes a lease from the server a file names, or answers null: nobody there, not ours, or ending. An answer
 * under the control token is the only proof of life; a pid may by now be somebody else's.
 */
export function takeLease(server: ServerFile, signal: AbortSignal): Promise<HeldLease | null> {
  return new Promise((resolve) => {
    const call = open(server);
    const lost = new AbortController();
    const closed = Promise.withResolvers<void>();
    let released = false;
    const give = (lease: HeldLease | null): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", giveUp);
      resolve(lease);
    };
    const giveUp = (): void => {
      call.destroy();
      give(null);
    };
    const timer = setTimeout(giveUp, ANSWER_MS);
    signal.addEventListener("abort", giveUp, { once: true });
    call.on("error", () => give(null));
    call.on("close", () => {
      closed.resolve();
      if (!released) lost.abort();
    });
    call.on("response", (response) => {
      response.on("error", () => call.destroy());
      if (response.statusCode !== 200) return giveUp();
      // The lease must not keep a command line alive that forgot to let go.
      response.socket.unref();
      response.resume();
      give({
        lost: lost.signal,
        release() {
          released = true;
          response.socket.ref();
          call.destroy();
          return closed.promise;
        },
      });
    });
    call.end();
  });
}
