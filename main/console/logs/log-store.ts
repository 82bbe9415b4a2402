import {
  type LogFiles,
  type LogRange,
  type LogSearchEvent,
  type LogState,
  type LogTail,
  MAX_LOG_HITS,
} from "../../../shared/api/index.ts";
import { FlowError, type Problem } from "../../../shared/domain/problem.ts";
import { waitForChange } from "./change.ts";
import type { LogPlaces } from "./places.ts";
import { readLines, readTail } from "./read-lines.ts";
import { bytePattern, searchLines } from "./search.ts";
import { createTrackedFile, type TrackedFile } from "./tracked-file.ts";

/** Indexes remembered of files nobody looks at any more: going back to one costs no counting. */
const REMEMBERED = 8;

export interface LogName {
  readonly attemptId: string;
  readonly name: string;
}

export interface LogSearch extends LogName {
  readonly text: string;
  readonly matchCase: boolean;
  readonly fromLine: number;
}

/** Logs of any size (operator-ux §3.2). Errors as `FlowError`: `LOG_NOT_FOUND`; an aborted call ends with its reason. */
export interface LogStore {
  files(attemptId: string): Promise<LogFiles>;
  tail(log: LogName & { readonly count: number }, signal: AbortSignal): Promise<LogTail>;
  range(
    log: LogName & { readonly first: number; readonly count: number },
    signal: AbortSignal,
  ): Promise<LogRange>;
  search(search: LogSearch, signal: AbortSignal): AsyncGenerator<LogSearchEvent, void, void>;
  follow(log: LogName, signal: AbortSignal): AsyncGenerator<LogState, void, void>;
}

/** A store over the places where logs lie. It holds no file open and no timer running between calls. */
export function createLogStore(places: LogPlaces): LogStore {
  const trackedFile = rememberTracked(places);
  return {
    async files(attemptId) {
      const found = await places.list(attemptId);
      const files = found.map(({ name, sizeBytes, growing }) => ({ name, sizeBytes, growing }));
      return { attemptId, files };
    },
    async tail(log, signal) {
      const tail = await trackedFile(log).withFile(async ({ handle, size }) => ({
        lines: await readTail(handle, size, log.count, signal),
        sizeBytes: size,
      }));
      return tail ?? missing(log);
    },
    async range(log, signal) {
      const tracked = trackedFile(log);
      const mark = await tracked.seek(log.first, signal);
      if (mark === null) return { first: log.first, lines: [] };
      const wanted = { offset: mark.offset, skip: log.first - mark.line, count: log.count };
      const lines = await tracked.withFile(({ handle, size }) =>
        readLines(handle, { ...wanted, end: size }, signal),
      );
      return { first: log.first, lines: lines ?? missing(log) };
    },
    search: (search, signal) => searchIn(trackedFile(search), search, signal),
    follow: (log, signal) => followFile(places, log, trackedFile(log), signal),
  };
}

function rememberTracked(places: LogPlaces): (log: LogName) => TrackedFile {
  const files = new Map<string, TrackedFile>();
  return ({ attemptId, name }) => {
    const key = `${attemptId}/${name}`;
    const file = files.get(key) ?? createTrackedFile(() => places.find(attemptId, name));
    files.delete(key);
    files.set(key, file);
    const [oldest] = files.keys();
    if (files.size > REMEMBERED && oldest !== undefined) files.delete(oldest);
    return file;
  };
}

async function* searchIn(
  tracked: TrackedFile,
  search: LogSearch,
  signal: AbortSignal,
): AsyncGenerator<LogSearchEvent, void, void> {
  const { fromLine } = search;
  const from = fromLine === 0 ? { line: 0, offset: 0 } : await tracked.seek(fromLine, signal);
  const pattern = bytePattern(search.text, search.matchCase);
  // The file stays open while its reader takes the steps one by one, so the generator cannot stand in `withFile`.
  const { promise: done, resolve: finish } = Promise.withResolvers<void>();
  const { promise: opened, resolve: isOpen } = Promise.withResolvers<Parameters<typeof searchLines>[0]>();
  const holding = tracked.withFile((file) => {
    isOpen(file);
    return done;
  });
  try {
    const file = await Promise.race([opened, holding.then(() => null)]);
    if (file === null) {
      yield { kind: "refused", problem: notFound(search) };
      return;
    }
    let nextLine = fromLine;
    let limited = false;
    const input = { pattern, from: from ?? { line: fromLine, offset: file.size }, fromLine };
    for await (const step of searchLines(file, { ...input, maxHits: MAX_LOG_HITS }, signal)) {
      const last = step.hits.at(-1);
      if (last !== undefined) nextLine = last.line + 1;
      limited = step.limited;
      yield {
        kind: "found",
        hits: step.hits,
        searchedBytes: step.searchedBytes,
        sizeBytes: file.size,
      };
    }
    yield { kind: "ended", limited, nextLine };
  } finally {
    finish();
    await holding;
  }
}

async function* followFile(
  places: LogPlaces,
  { attemptId, name }: LogName,
  tracked: TrackedFile,
  signal: AbortSignal,
): AsyncGenerator<LogState, void, void> {
  let told = "";
  for (;;) {
    const state = await tracked.advance(signal);
    const now = JSON.stringify(state);
    if (now !== told) yield state;
    told = now;
    if (state.gone) return;
    if (!state.complete) continue;
    const place = await places.find(attemptId, name);
    // A log that was moved meanwhile is told of at once.
    if (place !== null && place.growing === state.growing) await waitForChange(place, signal);
    if (signal.aborted) return;
  }
}

const notFound = ({ attemptId, name }: LogName): Problem => ({
  code: "LOG_NOT_FOUND",
  message: `There is no log ${name} of attempt ${attemptId} on this host.`,
  place: `log ${name} of attempt ${attemptId}`,
  remedy: "Logs of the newest attempts are kept; an attempt of another host has its log there.",
});

function missing(log: LogName): never {
  throw new FlowError(notFound(log));
}
