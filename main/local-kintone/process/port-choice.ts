import { FlowError } from "../../../shared/domain/problem.ts";
import { type Handle, type Listening, listenOnLoopback } from "../http/listen.ts";
import type { IdSource } from "../model.ts";
import { kintonePaths, readKeptPort, writeAtomically } from "./server-file.ts";

/** Below the range systems hand out for outgoing connections, so that the kept port stays ours. */
const FIRST_PORT = 21_000;
const PORT_SPAN = 8_000;
const TRIES = 40;

function randomPort(ids: IdSource): number {
  const [high = 0, low = 0] = ids.random(2);
  return FIRST_PORT + ((high * 256 + low) % PORT_SPAN);
}

async function listenSomewhere(handle: Handle, ids: IdSource): Promise<Listening> {
  let failure: unknown;
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    try {
      return await listenOnLoopback(handle, { port: randomPort(ids) });
    } catch (error) {
      if (!(error instanceof FlowError) || error.code !== "PORT_BUSY") throw error;
      failure = error;
    }
  }
  throw failure;
}

/**
 * Listens on the port kept for the folder, on the wished one, or on a free one which is then kept. Rejects
 * with `PORT_BUSY`, or `PORT_ALREADY_CHOSEN` when the wish differs from the kept port (decisions §2).
 */
export async function listenOnKeptPort(
  handle: Handle,
  ids: IdSource,
  dataDir: string,
  wish: number | null,
): Promise<Listening> {
  const kept = readKeptPort(dataDir);
  if (kept !== null && wish !== null && wish !== kept) {
    throw new FlowError({
      code: "PORT_ALREADY_CHOSEN",
      message: `This data folder's local kintone answers on port ${kept}; stored Runs name that base URL.`,
      place: "--port",
      remedy: `Leave --port out, or use another data folder for port ${wish}.`,
      details: { kept, wish },
    });
  }
  const port = kept ?? wish;
  const listening =
    port === null ? await listenSomewhere(handle, ids) : await listenOnLoopback(handle, { port });
  if (kept === null) {
    writeAtomically(kintonePaths(dataDir).port, {
      kind: "LOCAL_KINTONE_PORT",
      formatVersion: 1,
      port: listening.port,
    });
  }
  return listening;
}
