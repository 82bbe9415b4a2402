import { type FileHandle, open } from "node:fs/promises";

/** How much of one output file is kept, in bytes. */
export interface OutputLimit {
  /** A file longer than this is shortened. */
  readonly maxBytes: number;
  /** What stays of its beginning and of its end; together at most half of `maxBytes`. */
  readonly headBytes: number;
  readonly tailBytes: number;
}

const MIB = 1024 * 1024;
/** Two files of this size are harmless on every host, and more lines than anybody reads. */
export const OUTPUT_LIMIT: OutputLimit = { maxBytes: 64 * MIB, headBytes: 4 * MIB, tailBytes: 4 * MIB };

const MARK = /^\n?\[FlowNet left out (\d{1,16}) bytes here to keep this file short\]\n/;
const MARK_BYTES = 96;
/** A cut is moved to a line end when one is as near as this, so that no letter of any encoding is torn. */
const LINE_REACH_BYTES = 8 * 1024;
const NEWLINE = 0x0a;

/**
 * Shortens an output file that has grown beyond its limit: its beginning, a line that says how much was left out, and
 * its end stay. The child is not asked and not slowed: it appends, so its next line lands behind what is left. Bytes
 * written in the moment of shortening may be lost; they are counted as left out at the next one only.
 *
 * Why not otherwise: a pipe would break with this program, a file-size limit of the system would kill the child, and
 * another file in its place would never be written to. One file shortened in place needs nobody but its path, so the
 * next program after a crash goes on with it (electron-desktop §4 C5, C6).
 *
 * True when it was shortened. Rejects with the system's error.
 */
export async function shortenOutput(path: string, limit: OutputLimit = OUTPUT_LIMIT): Promise<boolean> {
  const file = await open(path, "r+");
  try {
    const { size } = await file.stat();
    if (size <= limit.maxBytes) return false;
    const headEnd = await headEndOf(file, limit);
    const before = await leftOutBefore(file, headEnd);
    const tail = await readTail(file, size, limit.tailBytes);
    const leftOut = size - headEnd - tail.length - before.markBytes + before.leftOut;
    const mark = Buffer.from(`\n[FlowNet left out ${leftOut} bytes here to keep this file short]\n`);
    // Written first and cut after: whoever dies between leaves a file that is too long, never one without its end.
    await writeAll(file, Buffer.concat([mark, tail]), headEnd);
    await file.truncate(headEnd + mark.length + tail.length);
    return true;
  } finally {
    await file.close();
  }
}

/** The same place every time, since nothing before it ever changes: the first line end in reach, not the last. */
async function headEndOf(file: FileHandle, { headBytes }: OutputLimit): Promise<number> {
  const start = Math.max(0, headBytes - LINE_REACH_BYTES);
  const reach = await readAt(file, start, headBytes - start);
  const lineEnd = reach.indexOf(NEWLINE);
  return lineEnd < 0 ? headBytes : start + lineEnd + 1;
}

async function leftOutBefore(
  file: FileHandle,
  at: number,
): Promise<{ readonly leftOut: number; readonly markBytes: number }> {
  const found = MARK.exec((await readAt(file, at, MARK_BYTES)).toString("latin1"));
  return found === null
    ? { leftOut: 0, markBytes: 0 }
    : { leftOut: Number(found[1]), markBytes: found[0].length };
}

async function readTail(file: FileHandle, size: number, tailBytes: number): Promise<Buffer> {
  const tail = await readAt(file, size - tailBytes, tailBytes);
  const lineEnd = tail.subarray(0, LINE_REACH_BYTES).indexOf(NEWLINE);
  return lineEnd < 0 ? tail : tail.subarray(lineEnd + 1);
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await file.read(buffer, filled, length - filled, position + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}

async function writeAll(file: FileHandle, bytes: Buffer, position: number): Promise<void> {
  let written = 0;
  while (written < bytes.length) {
    const { bytesWritten } = await file.write(bytes, written, bytes.length - written, position + written);
    written += bytesWritten;
  }
}
