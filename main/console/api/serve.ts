import { RPCHandler } from "@orpc/server/bun-ws";
import { type ApiPort, isApiCall } from "../../../shared/api/index.ts";
import type { CallContext } from "./deps.ts";
import type { ConsoleRouter } from "./router.ts";

/** A port whose owner can say when it is able to take more. */
export interface ServedPort extends ApiPort, CallContext {
  /** Told of a message that is no call of this API; a front that can end the line does. */
  readonly unreadable?: () => void;
}

/**
 * Answers the calls of one line until it closes. The RPC library stays behind this function (toolchain §6). Of its
 * adapters this one is taken because it hands back the promise of each message: the one for message ports drops it,
 * and whatever fails in there would end the process. It asks no more of a socket than `send`.
 */
export function serve(router: ConsoleRouter, port: ServedPort): void {
  const handler = new RPCHandler<CallContext>(router);
  const line = {
    send(data: string | ArrayBufferLike | Uint8Array): number {
      if (typeof data !== "string") throw new TypeError("the console API carries text messages only");
      port.post(data);
      return data.length;
    },
  };
  const options = { context: { writable: port.writable } };
  port.onMessage((text) => {
    if (!isApiCall(text)) return port.unreadable?.();
    // A call that fails was answered with its error by then; what arrives here is the library telling it once more,
    // or a line that closed under an answer.
    handler.message(line, text, options).catch(() => undefined);
  });
  port.onClose(() => handler.close(line));
}
