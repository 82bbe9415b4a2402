import { mkdir, open, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { FlowError, type Problem } from "../../../../shared/domain/problem.ts";
import { createQueue } from "../../settings/queue.ts";
import {
  type ActionFilter,
  type ActionPage,
  actionsOf,
  entriesOf,
  type JournalEntry,
  type JournalPage,
  pageOfEntries,
  type RecordedAction,
} from "./actions.ts";
import {
  type ActionFile,
  type ChainBreak,
  type ChainEnd,
  chainedLine,
  EMPTY_CHAIN,
  readChain,
} from "./chain.ts";
import type { ActionEntry, ActionLine, ActionWho } from "./line.ts";

/** One file a month, by UTC; the chain goes through all of them. */
const FILE = /^actions-\d{4}-\d{2}\.jsonl$/;

export interface ActionJournalDeps {
  /** `journal/actions` of the data folder; made with the first line. */
  readonly folder: string;
  readonly who: ActionWho;
  /** Epoch milliseconds. */
  readonly nowMs: () => number;
}

/** What a check of the whole journal came to. */
export interface ChainCheck {
  readonly lines: number;
  /** Empty: the journal is what it was when it was written. */
  readonly breaks: readonly ChainBreak[];
  /** SHA-256 of the last line: kept elsewhere, it proves later that nothing was cut off. */
  readonly head: string;
}

interface PageWish {
  readonly before: number | null;
  readonly limit: number;
  readonly filter: ActionFilter;
}

export interface ActionJournal {
  /**
   * Resolves when the line is on the disk. Rejects with `ACTION_JOURNAL_FAILED`, and with `OPERATION_UNDER_WAY` where an
   * operation would be accepted under an id that was used before.
   */
  append(entry: ActionEntry): Promise<void>;
  /** Operations newest first, a page at a time; `before` is the `nextBefore` of the page before. Rejects with `ACTION_JOURNAL_UNREADABLE`. */
  read(page: PageWish): Promise<ActionPage>;
  /** The same with what changed among the people, which no filter asks for. Same errors. */
  history(page: PageWish): Promise<JournalPage>;
  /** One operation; null when the journal does not know it. Same errors. */
  find(operationId: string): Promise<RecordedAction | null>;
  /** Looks at every line there is. Same errors. */
  check(): Promise<ChainCheck>;
}

/**
 * The action journal of a data folder (operator-ux §2.5): append-only, each line on the disk before the next step is
 * taken, each tied to the one before by its hash. Nothing is ever pruned. One resident console writes it (decisions §2).
 */
export function createActionJournal(deps: ActionJournalDeps): ActionJournal {
  const queue = createQueue();
  const { folder } = deps;
  return {
    append: (entry) => queue(() => append(deps, entry)),
    async read(page) {
      const { entries, nextBefore } = await readPage(folder, page, isAction);
      return { actions: entries.map(({ action }) => action), nextBefore };
    },
    history: (page) => readPage(folder, page, isEntry),
    find: (operationId) => findAction(folder, operationId),
    async check() {
      const names = await readable(folder, () => namesIn(folder));
      const files = await queue(() => readable(folder, () => filesOf(folder, names)));
      const chain = readChain(files);
      return { lines: chain.lines.length, breaks: chain.breaks, head: chain.end.hash };
    },
  };
}

/** The end of the chain is read from the disk each time: actions are rare, and what is there is what counts. */
async function append({ folder, who, nowMs }: ActionJournalDeps, entry: ActionEntry): Promise<void> {
  try {
    const names = await namesIn(folder);
    const newest = names.at(-1);
    if (entry.step === "accepted" && (await findAction(folder, entry.operationId)) !== null) {
      throw new FlowError(usedBefore(entry.operationId));
    }
    const { end, torn } = await chainEnd(folder, names);
    const at = new Date(nowMs()).toISOString();
    const { text } = chainedLine({ at, who, ...entry }, end);
    const due = `actions-${at.slice(0, 7)}.jsonl`;
    // A clock that was set back must not put a line before its predecessor.
    const name = newest !== undefined && newest > due ? newest : due;
    const isNew = name !== newest;
    if (isNew) await mkdir(folder, { recursive: true, mode: 0o700 });
    const file = await open(join(folder, name), "a", 0o600);
    try {
      await file.appendFile(`${torn && !isNew ? "\n" : ""}${text}\n`, "utf8");
      await file.sync();
    } finally {
      await file.close();
    }
    if (isNew) await syncFolder(folder);
  } catch (error) {
    if (error instanceof FlowError && error.code === USED_BEFORE) throw error;
    throw new FlowError(
      {
        code: "ACTION_JOURNAL_FAILED",
        message: "What is to be done could not be written into the action journal, so it was not done.",
        place: folder,
        remedy: "Check free space and rights of the data folder, then decide again.",
      },
      error,
    );
  }
}

/**
 * The last line there is, to which the next one is tied. A file a full disk left without a line does not begin the chain
 * anew: the line before stands in an older one.
 */
async function chainEnd(
  folder: string,
  names: readonly string[],
): Promise<{ readonly end: ChainEnd; readonly torn: boolean }> {
  let torn: boolean | null = null;
  for (const name of names.toReversed()) {
    const chain = readChain(await filesOf(folder, [name]));
    torn ??= chain.torn;
    if (chain.lines.length > 0) return { end: chain.end, torn };
  }
  return { end: EMPTY_CHAIN, torn: torn ?? false };
}

const USED_BEFORE = "OPERATION_UNDER_WAY";
/** An id is used once, by whatever kind of action and whatever start of the console (electron-desktop I5). */
const usedBefore = (operationId: string): Problem => ({
  code: USED_BEFORE,
  message: "An operation of this id is written down already; nothing was done a second time.",
  place: operationId,
  remedy: "Look at what it came to, and decide again.",
});

const isEntry = (_: JournalEntry): _ is JournalEntry => true;
const isAction = (entry: JournalEntry): entry is JournalEntry & { readonly kind: "action" } =>
  entry.kind === "action";

/** From the newest month back until the page is full: an end never stands before its beginning. */
async function readPage<T extends JournalEntry>(
  folder: string,
  page: PageWish,
  isWanted: (entry: JournalEntry) => entry is T,
): Promise<JournalPage<T>> {
  let lines: readonly ActionLine[] = [];
  let found: JournalPage<T> = { entries: [], nextBefore: null };
  const names = await readable(folder, () => namesIn(folder));
  for (const [index, name] of names.toReversed().entries()) {
    lines = [...readChain(await readable(folder, () => filesOf(folder, [name]))).lines, ...lines];
    found = pageOfEntries(entriesOf(lines, page.filter).filter(isWanted), page);
    const last = found.entries.at(-1);
    if (last === undefined || found.entries.length < page.limit) continue;
    const more = found.nextBefore !== null || index + 1 < names.length;
    return { ...found, nextBefore: more ? last.seq : null };
  }
  return found;
}

/** Only lines that name it are read as such: whoever asks for an id nobody knows asks every file there is. */
async function findAction(folder: string, operationId: string): Promise<RecordedAction | null> {
  const sought = JSON.stringify(operationId);
  let lines: readonly ActionLine[] = [];
  const names = await readable(folder, () => namesIn(folder));
  for (const name of names.toReversed()) {
    const files = await readable(folder, () => filesOf(folder, [name]));
    const named = files.map((file) => ({ ...file, text: rowsWith(file.text, sought) }));
    lines = [...readChain(named).lines, ...lines];
    const found = actionsOf(lines).find(({ accepted }) => accepted.operationId === operationId);
    if (found !== undefined) return found;
  }
  return null;
}

const rowsWith = (text: string, part: string): string =>
  text
    .split("\n")
    .filter((row) => row.includes(part))
    .join("\n");

async function readable<T>(folder: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw new FlowError(
      {
        code: "ACTION_JOURNAL_UNREADABLE",
        message: "The action journal of this host cannot be read.",
        place: folder,
        remedy: "Check the rights of the folder.",
      },
      error,
    );
  }
}

/** Oldest first. */
async function namesIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  });
  return names.filter((name) => FILE.test(name)).sort();
}

const filesOf = (folder: string, names: readonly string[]): Promise<readonly ActionFile[]> =>
  Promise.all(names.map(async (name) => ({ name, text: await readFile(join(folder, name), "utf8") })));

/** Brings the name of a new file to the disk. Windows has no such call and writes names through by itself. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === "win32") return;
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
