import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { type JournalLine, journalLineSchema } from "./schema.ts";

const JOURNAL_FILE = /^attempts-.*\.jsonl$/;

/** One journal file: what could be read, and how many lines could not. */
export interface JournalFile {
  readonly name: string;
  readonly lines: readonly JournalLine[];
  /** Torn or foreign lines. A program that died in the middle of a write leaves one. */
  readonly lostLines: number;
}

/**
 * Reads every journal file of a folder, in order of name, which is order of creation. A missing folder is an
 * empty journal; any other failure to read rejects, since absence of a line is evidence only if all was read.
 */
export async function readJournal(folder: string): Promise<readonly JournalFile[]> {
  const names = (await namesIn(folder)).filter((name) => JOURNAL_FILE.test(name)).sort();
  return await Promise.all(
    names.map(async (name) => ({ name, ...parseJournal(await readFile(join(folder, name), "utf8")) })),
  );
}

/** The lines of one journal text; a line that is not one of ours is counted, never guessed. */
export function parseJournal(text: string): Omit<JournalFile, "name"> {
  const lines: JournalLine[] = [];
  let lostLines = 0;
  for (const line of text.split("\n")) {
    if (line === "") continue;
    const parsed = journalLineSchema.safeParse(parseJson(line));
    if (parsed.success) lines.push(parsed.data);
    else lostLines++;
  }
  return { lines, lostLines };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
}
