import type { Readable } from "node:stream";

export interface Capture {
  text(): string;
  truncated(): boolean;
}

/** Keeps the first `maxBytes` of a stream and reads on, so that a flood never blocks its writer. UTF-8. */
export function captureStream(stream: Readable, maxBytes: number): Capture {
  const kept: Buffer[] = [];
  let size = 0;
  let truncated = false;
  stream.on("data", (chunk: Buffer) => {
    const room = maxBytes - size;
    if (chunk.length > room) truncated = true;
    if (room <= 0) return;
    const part = chunk.subarray(0, room);
    kept.push(part);
    size += part.length;
  });
  // A broken pipe ends the text early; whether that matters is seen from the exit and the shape of the text.
  stream.on("error", () => undefined);
  return { text: () => Buffer.concat(kept).toString("utf8"), truncated: () => truncated };
}
