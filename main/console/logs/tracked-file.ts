import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import type { LogState } from "../../../shared/api/index.ts";
import { createLineCount, type LineCount, type LineMark } from "./line-count.ts";
import type { LogPlace } from "./places.ts";
import { chunksOf } from "./read-lines.ts";

/** Counted in one go, before whoever waits is told how far it is. */
const SLICE_BYTES = 64 * 1024 * 1024;
const HEAD_BYTES = 256;

/** An open log file: `size` is what counts of it, so that a reader does not run after a writer. */
export interface OpenedLog {
  readonly handle: FileHandle;
  readonly size: number;
}

/** One log file and the index of its lines, which is built only as far as somebody waits for it. */
export interface TrackedFile {
  /** Counts on, a bounded piece, and says where the file stands. */
  advance(signal: AbortSignal): Promise<LogState>;
  /** The nearest known line start before a line, counting on until the line is known; null when there is no such line. */
  seek(line: number, signal: AbortSignal): Promise<LineMark | null>;
  /** Opens the file for one piece of work. Null when it is gone. */
  withFile<T>(work: (file: OpenedLog) => Promise<T>): Promise<T | null>;
}

interface Identity {
  readonly device: number;
  readonly inode: number;
  readonly head: Buffer;
}

/** What is known of the content now: dropped whole when the file turns out to be another. */
interface Known {
  identity: Identity | null;
  generation: number;
  count: LineCount;
}

/**
 * Follows a file through growth, truncation, replacement and the move out of the work folder: it is looked for at
 * each step, and taken for the same while its identity and its first bytes are.
 */
export function createTrackedFile(find: () => Promise<LogPlace | null>): TrackedFile {
  const known: Known = { identity: null, generation: 0, count: createLineCount() };
  let turn: Promise<unknown> = Promise.resolve();
  // Two readers of one file count it once.
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = turn.then(work, work);
    turn = mine.catch(() => undefined);
    return mine;
  };
  const advance = (signal: AbortSignal): Promise<LogState> =>
    inTurn(async () => {
      signal.throwIfAborted();
      const place = await find();
      const state = await withPlace(place, (file) => countOn(known, file, signal));
      return state === null ? gone(known) : { ...state, growing: place?.growing === true };
    });
  return {
    advance,
    async seek(line, signal) {
      let state = await advance(signal);
      while (!state.gone && !state.complete && state.lines <= line) state = await advance(signal);
      return state.lines > line ? known.count.markBefore(line) : null;
    },
    withFile: async (work) => withPlace(await find(), work),
  };
}

async function withPlace<T>(
  place: LogPlace | null,
  work: (file: OpenedLog) => Promise<T>,
): Promise<T | null> {
  if (place === null) return null;
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0);
  const handle = await open(place.path, flags).catch(() => null);
  if (handle === null) return null;
  try {
    return await work({ handle, size: (await handle.stat()).size });
  } finally {
    await handle.close();
  }
}

async function countOn(
  known: Known,
  { handle, size }: OpenedLog,
  signal: AbortSignal,
): Promise<Omit<LogState, "growing">> {
  const identity = await identityOf(handle);
  if (isAnother(known, identity, size)) {
    known.generation++;
    known.count = createLineCount();
  }
  known.identity = identity;
  const from = known.count.countedBytes();
  const end = Math.min(size, from + SLICE_BYTES);
  for await (const chunk of chunksOf(handle, from, end, signal)) known.count.add(chunk);
  const countedBytes = known.count.countedBytes();
  return {
    generation: known.generation,
    sizeBytes: size,
    lines: known.count.lines(),
    countedBytes,
    complete: countedBytes >= size,
    gone: false,
  };
}

async function identityOf(handle: FileHandle): Promise<Identity> {
  const { dev, ino } = await handle.stat();
  const { bytesRead, buffer } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
  return { device: dev, inode: ino, head: buffer.subarray(0, bytesRead) };
}

/** A file emptied and written again past its old size has another beginning, or is the same to everybody. */
function isAnother({ identity, count }: Known, found: Identity, size: number): boolean {
  if (identity === null) return false;
  if (identity.device !== found.device || identity.inode !== found.inode) return true;
  return size < count.countedBytes() || !found.head.subarray(0, identity.head.length).equals(identity.head);
}

const gone = ({ generation, count }: Known): LogState => ({
  generation,
  sizeBytes: 0,
  lines: count.lines(),
  countedBytes: count.countedBytes(),
  complete: true,
  growing: false,
  gone: true,
});
