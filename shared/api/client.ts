import { type ClientLink, createORPCClient } from "@orpc/client";
import { RPCLink } from "@orpc/client/message-port";
import { fail, type Problem, type Result } from "../domain/problem.ts";
import type { ConsoleApi } from "./contract.ts";
import { type ApiPort, libraryPort } from "./port.ts";

type Link = ClientLink<Record<never, never>>;

/**
 * The console API over a port (toolchain §6). `openPort` is called at the first call and again at the first call
 * after the port closed; calls in flight at a close reject. The RPC library stays behind this function.
 */
export function createClient(openPort: () => ApiPort): ConsoleApi {
  let current: Link | null = null;
  const link = (): Link => {
    if (current !== null) return current;
    const port = openPort();
    const opened: Link = new RPCLink({ port: libraryPort(port) });
    port.onClose(() => {
      if (current === opened) current = null;
    });
    current = opened;
    return opened;
  };
  return createORPCClient<ConsoleApi>({ call: (path, input, options) => link().call(path, input, options) });
}

/** The problem of an answer that never came: the line to the console's main process is down or refused the call. */
export function unreachable(cause: unknown): Problem {
  return {
    code: "CONSOLE_UNREACHABLE",
    message: cause instanceof Error ? cause.message : String(cause),
    retryable: true,
  };
}

/** Turns a call into a value whatever happens to the line. */
export async function settle<T>(call: Promise<Result<T>>): Promise<Result<T>> {
  try {
    return await call;
  } catch (cause) {
    return fail(unreachable(cause));
  }
}
