import { RPCHandler } from "@orpc/server/message-port";
import { type ApiPort, libraryPort } from "../../../shared/api/index.ts";
import type { CallContext } from "./deps.ts";
import type { ConsoleRouter } from "./router.ts";

/** A port whose owner can say when it is able to take more. */
export interface ServedPort extends ApiPort, CallContext {}

/** Answers the calls of one line until it closes. The RPC library stays behind this function (toolchain §6). */
export function serve(router: ConsoleRouter, port: ServedPort): void {
  new RPCHandler<CallContext>(router).upgrade(libraryPort(port), { context: { writable: port.writable } });
}
