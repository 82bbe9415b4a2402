import type { FileHandle } from "node:fs/promises";
import { FOLD_BYTES, type LogLine } from "../../../shared/api/index.ts";
import { lineOf } from "./line-text.ts";

export const CHUNK_BYTES = 128 * 1024;
/** Text of one answer: pages of long lines come in smaller pages. */
const ANSWER_BYTES = 1024 * 1024;
/** How far back the end of a file is searched for line starts. */
const TAIL_BYTES = 8 * 1024 * 1024;
const LF = 10;

/** The bytes of a file from `from` to `end`, in turn. The buffer is used again: a reader keeps copies. */
export async function* chunksOf(
  handle: FileHandle,
  from: number,
  end: number,
  signal: AbortSignal,
): AsyncGenerator<Buffer, void, void> {
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  for (let at = from; at < end; ) {
    signal.throwIfAborted();
    const { bytesRead } = await handle.read(buffer, 0, Math.min(CHUNK_BYTES, end - at), at);
    // The file became shorter meanwhile; whoever asked learns of it at its next look.
    if (bytesRead === 0) return;
    at += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

export interface LinesWanted {
  /** The start of a line. Bytes. */
  readonly offset: number;
  /** Lines to pass over first. */
  readonly skip: number;
  readonly count: number;
  /** Bytes of the file that count. */
  readonly end: number;
}

/** Lines in order; fewer than asked for at the end of the file or where they fill an answer. */
export async function readLines(
  handle: FileHandle,
  { offset, skip, count, end }: LinesWanted,
  signal: AbortSignal,
): Promise<readonly LogLine[]> {
  const lines: LogLine[] = [];
  const line = createLineBuffer();
  let passed = 0;
  let filled = 0;
  const finish = (): void => {
    if (passed >= skip) {
      const read = line.take();
      filled += read.text.length;
      lines.push(read);
    } else line.drop();
    passed++;
  };
  const full = (): boolean => lines.length >= count || filled >= ANSWER_BYTES;
  for await (const chunk of chunksOf(handle, offset, end, signal)) {
    let from = 0;
    for (let at = chunk.indexOf(LF); at !== -1 && !full(); at = chunk.indexOf(LF, from)) {
      line.add(chunk, from, at, passed >= skip);
      finish();
      from = at + 1;
    }
    if (full()) return lines;
    line.add(chunk, from, chunk.length, passed >= skip);
  }
  if (line.length() > 0) finish();
  return lines;
}

/** Gathers one line out of chunks: its beginning as far as it is shown, and its length. */
function createLineBuffer() {
  let kept: Buffer[] = [];
  let keptBytes = 0;
  let length = 0;
  const drop = (): void => {
    kept = [];
    keptBytes = 0;
    length = 0;
  };
  return {
    add(chunk: Buffer, from: number, to: number, wanted: boolean): void {
      length += to - from;
      // One byte more than is shown at once, so that a line of just that length keeps its end.
      const room = FOLD_BYTES + 1 - keptBytes;
      if (!wanted || room <= 0 || to === from) return;
      const piece = Buffer.from(chunk.subarray(from, Math.min(to, from + room)));
      kept.push(piece);
      keptBytes += piece.length;
    },
    length: () => length,
    drop,
    take(): LogLine {
      const line = lineOf(Buffer.concat(kept), length);
      drop();
      return line;
    },
  };
}

/**
 * The last lines of a file of `size` bytes, found from its end without reading the rest (operator-ux §3.2). Where no
 * line starts within the last 8 MiB, the first line given is the end of one.
 */
export async function readTail(
  handle: FileHandle,
  size: number,
  count: number,
  signal: AbortSignal,
): Promise<readonly LogLine[]> {
  const offset = await startOfTail(handle, size, count, signal);
  const lines = await readLines(handle, { offset, skip: 0, count, end: size }, signal);
  // Long lines fill an answer before the end is reached; the end is what a tail is for.
  return lines.length < count && count > 1 && (await isCut(handle, offset, lines.length, size, signal))
    ? readTail(handle, size, Math.max(1, count >> 1), signal)
    : lines;
}

async function isCut(
  handle: FileHandle,
  offset: number,
  read: number,
  size: number,
  signal: AbortSignal,
): Promise<boolean> {
  const more = await readLines(handle, { offset, skip: read, count: 1, end: size }, signal);
  return more.length > 0;
}

async function startOfTail(
  handle: FileHandle,
  size: number,
  count: number,
  signal: AbortSignal,
): Promise<number> {
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  const stop = Math.max(0, size - TAIL_BYTES);
  let wanted = count;
  for (let end = size; end > stop; ) {
    signal.throwIfAborted();
    const from = Math.max(stop, end - CHUNK_BYTES);
    const { bytesRead } = await handle.read(buffer, 0, end - from, from);
    for (let at = bytesRead - 1; at >= 0; at--) {
      // The line end at the very end of the file ends its last line and starts none.
      if (buffer[at] !== LF || from + at === size - 1) continue;
      wanted--;
      if (wanted === 0) return from + at + 1;
    }
    end = from;
  }
  return stop;
}
