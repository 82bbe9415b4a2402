import { type ServerResponse, STATUS_CODES } from "node:http";
import type { KintoneResponse } from "../model.ts";

function writeAll(reply: ServerResponse, bytes: Uint8Array): Promise<void> {
  return new Promise((resolve) => reply.write(bytes, () => resolve()));
}

async function writeSlowly(
  reply: ServerResponse,
  bytes: Uint8Array,
  line: { readonly chunkBytes: number; readonly pause: () => Promise<void> },
): Promise<void> {
  for (let start = 0; start < bytes.byteLength && !reply.destroyed; start += line.chunkBytes) {
    if (start > 0) await line.pause();
    await writeAll(reply, bytes.subarray(start, start + line.chunkBytes));
  }
  reply.end();
}

/** Sends an answer down its connection, with the faults the line has (kintone-rest §19). */
export async function deliver(reply: ServerResponse, response: KintoneResponse): Promise<void> {
  const { body, status, headers, delivery } = response;
  if (delivery?.kind === "silent") return;
  if (delivery?.kind === "reset") {
    reply.socket?.resetAndDestroy();
    return;
  }
  const bytes = typeof body === "string" ? Buffer.from(body, "utf8") : body;
  // The reason phrase reaches users of the official client through its error texts (kintone-rest §1.1).
  reply.writeHead(status, STATUS_CODES[status] ?? "", { ...headers, "Content-Length": bytes.byteLength });
  if (delivery === undefined) {
    reply.end(bytes);
    return;
  }
  if (delivery.kind === "slow") return writeSlowly(reply, bytes, delivery);
  reply.flushHeaders();
  await writeAll(reply, bytes.subarray(0, delivery.bytes));
  reply.destroy();
}
