import { createReadStream } from "node:fs";
import { createGunzip } from "node:zlib";

/** Longest line, in characters: an attachment of the largest body a request may have, as base64, with room to spare. */
const MAX_LINE = 256 * 1024 * 1024;

/** Why a file cannot be read as lines. */
export class LinesDamaged extends Error {
  override readonly name = "LinesDamaged";
}

/**
 * The lines of a gzip file of UTF-8 text, each without its end. Rejects with {@link LinesDamaged} for what is no such
 * file or was cut, with the reason of the signal, and with `ENOENT`.
 */
export async function* linesOf(source: string, signal: AbortSignal): AsyncGenerator<string> {
  // A line may come in thousands of chunks: joined once, for joining at every chunk would be quadratic.
  let begun: string[] = [];
  let length = 0;
  const decoder = new TextDecoder("utf-8", { fatal: true });
  try {
    for await (const chunk of createReadStream(source, { signal }).pipe(createGunzip())) {
      const pieces = decoder.decode(chunk, { stream: true }).split("\n");
      const last = pieces.pop() ?? "";
      for (const piece of pieces) {
        yield begun.length === 0 ? piece : begun.join("") + piece;
        begun = [];
        length = 0;
      }
      begun.push(last);
      length += last.length;
      if (length > MAX_LINE) throw new LinesDamaged("a line is too long");
    }
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof LinesDamaged) throw error;
    if (error instanceof Error && "code" in error && error.code === "ENOENT") throw error;
    throw new LinesDamaged(error instanceof Error ? error.message : "it cannot be read", { cause: error });
  }
  if (length > 0) throw new LinesDamaged("its last line is cut");
}
