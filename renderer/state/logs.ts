import { createStore } from "zustand/vanilla";
import {
  type ConsoleApi,
  type LogFiles,
  type LogLine,
  type LogState,
  type LogTail,
  settle,
  unreachable,
} from "../../shared/api/index.ts";
import type { Problem } from "../../shared/domain/problem.ts";
import { failed, idle, type Loaded, ready } from "./load.ts";
import { linesWith, PAGE_LINES, pagesToRead } from "./log-pages.ts";
import { initialSearch, type LogSearchState, searchIntents } from "./log-search.ts";

/** Lines shown before any is counted. */
const TAIL_LINES = 500;

export interface LogsState {
  readonly attemptId: string | null;
  readonly files: Loaded<LogFiles>;
  readonly name: string | null;
  /** Where the file stands; null before the first word of it. */
  readonly file: LogState | null;
  /** The end of the file as it was opened: all there is to see until its lines are counted. */
  readonly tail: LogTail | null;
  /** Every line was counted once: lines have numbers, and any of them can be gone to. */
  readonly counted: boolean;
  /** Lines by number, those in sight and around. */
  readonly lines: ReadonlyMap<number, LogLine>;
  /** Lines the page reaches to: the file's while it is followed, those of then while it is paused. */
  readonly shown: number;
  readonly following: boolean;
  readonly problem: Problem | null;
  readonly search: LogSearchState;
}

const closed: LogsState = {
  attemptId: null,
  files: idle,
  name: null,
  file: null,
  tail: null,
  counted: false,
  lines: new Map(),
  shown: 0,
  following: true,
  problem: null,
  search: initialSearch,
};

/** What of a log is forgotten when another one is opened. */
const unopened = (({ file, tail, counted, lines, shown, problem, search }: LogsState) => ({
  file,
  tail,
  counted,
  lines,
  shown,
  problem,
  search,
}))(closed);

/** The log in sight (operator-ux §1.3): text is fetched around what is looked at; leaving ends all work in main. */
export function createLogsStore({ api }: { readonly api: ConsoleApi }) {
  const store = createStore<LogsState>(() => closed);
  const search = searchIntents(store, api);
  let open = new AbortController();
  const reading = new Set<number>();

  const leave = (): void => {
    open.abort();
    open = new AbortController();
    reading.clear();
    search.stopSearch();
  };
  const log = (): { attemptId: string; name: string } | null => {
    const { attemptId, name } = store.getState();
    return attemptId === null || name === null ? null : { attemptId, name };
  };
  const readTail = async (signal: AbortSignal): Promise<void> => {
    const place = log();
    if (place === null) return;
    const answer = await settle(api.logs.tail({ ...place, count: TAIL_LINES }, { signal }));
    if (signal.aborted) return;
    store.setState(answer.ok ? { tail: answer.value, problem: null } : { problem: answer.error });
  };
  const readPage = async (pageNo: number, signal: AbortSignal): Promise<void> => {
    const place = log();
    if (place === null || reading.has(pageNo)) return;
    reading.add(pageNo);
    try {
      // Long lines come in smaller answers, so a page may take several.
      for (let first = pageNo * PAGE_LINES; first < (pageNo + 1) * PAGE_LINES; ) {
        const count = (pageNo + 1) * PAGE_LINES - first;
        const answer = await settle(api.logs.range({ ...place, first, count }, { signal }));
        if (signal.aborted) return;
        if (!answer.ok) return store.setState({ problem: answer.error });
        const { lines } = answer.value;
        store.setState((state) => ({ lines: linesWith(state.lines, first, lines), problem: null }));
        if (lines.length === 0) return;
        first += lines.length;
      }
    } finally {
      reading.delete(pageNo);
    }
  };
  const heard = (file: LogState): void => {
    const before = store.getState();
    if (before.file !== null && before.file.generation !== file.generation) {
      store.setState({ ...unopened, search: before.search });
      void readTail(open.signal);
    }
    store.setState((state) => withWord(state, file));
  };
  const follow = async (signal: AbortSignal): Promise<void> => {
    const place = log();
    if (place === null) return;
    try {
      for await (const state of await api.logs.follow(place, { signal })) {
        if (signal.aborted) return;
        heard(state);
      }
    } catch (cause) {
      if (!signal.aborted) store.setState({ problem: unreachable(cause) });
    }
  };
  const choose = async (name: string): Promise<void> => {
    leave();
    store.setState({ ...unopened, name, following: true });
    const { signal } = open;
    // What is looked at comes first: counting the lines of a large file would delay it.
    await readTail(signal);
    if (!signal.aborted) await follow(signal);
  };
  return {
    store,
    ...search,
    choose,
    /** Opens the logs of an attempt, its first file in sight. Ends when the tab is left. */
    async open(attemptId: string): Promise<void> {
      leave();
      store.setState({ ...closed, attemptId, files: { ...idle, phase: "loading" } }, true);
      const { signal } = open;
      const answer = await settle(api.logs.files({ attemptId }, { signal }));
      if (signal.aborted) return;
      store.setState(({ files }) => ({
        files: answer.ok ? ready(answer.value) : failed(files, answer.error),
      }));
      const first = answer.ok ? answer.value.files.at(0) : undefined;
      if (first !== undefined) await choose(first.name);
    },
    /** Fetches the lines of a stretch that are not here yet. */
    async want(first: number, last: number): Promise<void> {
      const { lines, shown } = store.getState();
      const { signal } = open;
      await Promise.all(pagesToRead(lines, first, last, shown).map((page) => readPage(page, signal)));
    },
    /** Goes with the end of the file, or stands still while more comes. */
    setFollowing(following: boolean): void {
      store.setState(({ file, shown }) => ({
        following,
        shown: following && file !== null ? file.lines : shown,
      }));
    },
    /** Lines for a copy, at most one answer of them. */
    async textOf(first: number, last: number): Promise<string | null> {
      const place = log();
      if (place === null) return null;
      const answer = await settle(
        api.logs.range({ ...place, first, count: last - first + 1 }, { signal: open.signal }),
      );
      return answer.ok ? answer.value.lines.map(({ text }) => text).join("\n") : null;
    },
    close(): void {
      leave();
      store.setState(closed, true);
    },
  };
}
export type LogsStore = ReturnType<typeof createLogsStore>;

/** The page after word of the file. Pure. */
export function withWord(
  { following, shown, lines, tail, counted, file: known }: LogsState,
  file: LogState,
): Pick<LogsState, "file" | "counted" | "shown" | "lines"> {
  if (!counted && !file.complete) return { file, counted, shown: 0, lines };
  const grew = known !== null && known.sizeBytes !== file.sizeBytes;
  // A last line that had no end yet may have become longer.
  const valid = grew ? without(lines, known.lines - 1) : lines;
  // What was read from the end has its numbers now.
  const seeded =
    !counted && tail !== null && tail.sizeBytes === file.sizeBytes
      ? linesWith(valid, file.lines - tail.lines.length, tail.lines)
      : valid;
  return { file, counted: true, shown: following || !counted ? file.lines : shown, lines: seeded };
}

function without(lines: ReadonlyMap<number, LogLine>, line: number): ReadonlyMap<number, LogLine> {
  if (!lines.has(line)) return lines;
  const rest = new Map(lines);
  rest.delete(line);
  return rest;
}
