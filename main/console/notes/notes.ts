import {
  type Acknowledgement,
  type AttentionPicture,
  type RunNote,
  resolvedIn,
} from "../../../shared/api/index.ts";
import { FlowError } from "../../../shared/domain/problem.ts";
import { createQueue } from "../settings/queue.ts";
import { type NotesFile, parseNotes } from "./file.ts";

/** Notes of one Run and marks of all items at most: a file people write by hand stays small. */
const NOTES_OF_RUN = 200;
const MARKS = 2_000;

export interface NotesDeps {
  /** Absolute; named in problems. */
  readonly path: string;
  /** Null when there is none. */
  readonly read: () => Promise<string | null>;
  /** Whole or not at all. */
  readonly write: (text: string) => Promise<void>;
  /** Of the operating system. */
  readonly account: () => string;
  /** Epoch milliseconds. */
  readonly nowMs: () => number;
}

export interface Notes {
  acknowledge(itemId: string, name: string, note: string): Promise<Acknowledgement>;
  release(itemId: string): Promise<void>;
  /** Newest first. */
  list(runId: string): Promise<readonly RunNote[]>;
  add(note: Pick<RunNote, "noteId" | "runId" | "author" | "text">): Promise<readonly RunNote[]>;
  remove(runId: string, noteId: string): Promise<readonly RunNote[]>;
  /** The picture with the marks of its items; those of items that are over are forgotten. Never throws. */
  mark(picture: AttentionPicture): Promise<AttentionPicture>;
  /** Told of every change of a mark. Returns what ends it. */
  onMark(listener: () => void): () => void;
  /** Everything there is, for what is handed on. */
  all(): Promise<NotesFile>;
}

/**
 * 対応中 and notes on Runs, kept in a file of their own (operator-ux §1.2). Each change is on the disk before it is
 * answered. Throws `NOTES_UNREADABLE`, `DATA_FILE_WRITE_FAILED`, `NOTES_FULL`.
 */
export function createNotes(deps: NotesDeps): Notes {
  const queue = createQueue();
  const listeners = new Set<() => void>();
  const read = async (): Promise<NotesFile> => parseNotes(await deps.read(), deps.path);
  const write = (file: NotesFile): Promise<void> => deps.write(`${JSON.stringify(file, null, 2)}\n`);
  const change = <T>(work: (file: NotesFile) => readonly [NotesFile, T]): Promise<T> =>
    queue(async () => {
      const before = await read();
      const [after, answer] = work(before);
      if (after !== before) await write(after);
      return answer;
    });
  const told = (): void => {
    for (const listener of listeners) listener();
  };
  const at = (): string => new Date(deps.nowMs()).toISOString();
  return {
    async acknowledge(itemId, name, note) {
      const mark: Acknowledgement = { name, note, account: deps.account(), at: at() };
      await change((file) => [withMark(file, itemId, mark), null]);
      told();
      return mark;
    },
    async release(itemId) {
      await change((file) => [without(file, (id) => id === itemId), null]);
      told();
    },
    list: async (runId) => notesOf(await queue(read), runId),
    add: (note) =>
      change((file) => {
        const next = withNote(file, { ...note, account: deps.account(), at: at() });
        return [next, notesOf(next, note.runId)];
      }),
    remove: (runId, noteId) =>
      change((file) => {
        const notes = file.notes.filter((each) => each.runId !== runId || each.noteId !== noteId);
        const next = notes.length === file.notes.length ? file : { ...file, notes };
        return [next, notesOf(next, runId)];
      }),
    async mark(picture) {
      try {
        const over = resolvedIn(picture);
        const file = await change((known) => {
          const next = over === null ? known : without(known, over);
          return [next, next];
        });
        return withMarks(picture, file);
      } catch {
        // A mark is a help: a list without it is still the list. Whoever marks is told what is wrong with the file.
        return picture;
      }
    },
    onMark(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    all: () => queue(read),
  };
}

function notesOf({ notes }: NotesFile, runId: string): readonly RunNote[] {
  return notes.filter((note) => note.runId === runId).toReversed();
}

/** The same note twice is one: a page that was not answered asks again. */
function withNote(file: NotesFile, note: RunNote): NotesFile {
  if (file.notes.some(({ noteId }) => noteId === note.noteId)) return file;
  if (notesOf(file, note.runId).length >= NOTES_OF_RUN) throw full(`Run ${note.runId}`);
  return { ...file, notes: [...file.notes, note] };
}

function withMark(file: NotesFile, itemId: string, mark: Acknowledgement): NotesFile {
  if (Object.keys(file.acknowledgements).length >= MARKS) throw full("要対応");
  return { ...file, acknowledgements: { ...file.acknowledgements, [itemId]: mark } };
}

function without(file: NotesFile, goes: (itemId: string) => boolean): NotesFile {
  const entries = Object.entries(file.acknowledgements);
  const left = entries.filter(([itemId]) => !goes(itemId));
  return left.length === entries.length ? file : { ...file, acknowledgements: Object.fromEntries(left) };
}

const full = (place: string): FlowError =>
  new FlowError({
    code: "NOTES_FULL",
    message: "There are as many notes as this host keeps; this one was not added.",
    place,
    remedy: "Remove notes that are not needed any more.",
  });

/** Each item with its mark, where it has one. Pure. */
function withMarks(picture: AttentionPicture, { acknowledgements }: NotesFile): AttentionPicture {
  const items = picture.items.map((item) => {
    const mark = Object.hasOwn(acknowledgements, item.id) ? acknowledgements[item.id] : undefined;
    return mark === undefined ? item : { ...item, acknowledged: mark };
  });
  return { ...picture, items };
}
