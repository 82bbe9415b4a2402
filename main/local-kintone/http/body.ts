import type { IncomingMessage } from "node:http";

/** Reads a whole body of at most `limit` bytes; what lies beyond is not kept. */
export function readBody(message: IncomingMessage, limit: number): Promise<Buffer | "too-large" | "aborted"> {
  const { headers } = message;
  if (headers["content-length"] === undefined && headers["transfer-encoding"] === undefined) {
    message.resume();
    return Promise.resolve(Buffer.alloc(0));
  }
  // What is announced is refused before it is read.
  if (Number(headers["content-length"] ?? 0) > limit) return Promise.resolve("too-large");
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    message.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > limit) {
        message.pause();
        resolve("too-large");
        return;
      }
      chunks.push(chunk);
    });
    message.on("end", () => resolve(Buffer.concat(chunks)));
    message.on("error", () => resolve("aborted"));
    message.on("close", () => resolve("aborted"));
  });
}
