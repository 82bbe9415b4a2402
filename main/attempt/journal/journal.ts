import { type FileHandle, mkdir, open } from "node:fs/promises";
import { join } from "node:path";
import { FlowError } from "../../../shared/domain/problem.ts";
import type { ProcessIdentity } from "../../process/index.ts";
import { type AttemptEvidence, evidenceOf, lockOwnerOf } from "./evidence.ts";
import type { HostFacts } from "./host-facts.ts";
import { type OpenChild, openChildrenOf } from "./open-children.ts";
import { readJournal } from "./reader.ts";
import { JOURNAL_FORMAT_VERSION, JOURNAL_KIND, type JournalEntry, type JournalLine } from "./schema.ts";

export interface JournalDeps {
  /** `<data folder>/journal`; made when the first line is written. */
  readonly folder: string;
  readonly hostFacts: HostFacts;
  readonly clock: { nowMs(): number };
  readonly ids: { uuid(): string };
}

export interface AttemptJournal {
  readonly hostFacts: HostFacts;
  /** Settles when the line is on the disk. Rejects with `JOURNAL_WRITE_FAILED`. */
  append(entry: JournalEntry): Promise<void>;
  /** Reads the journals of every program that used this folder. Rejects with `JOURNAL_UNREADABLE`. */
  evidenceFor(attemptId: string): Promise<AttemptEvidence>;
  /** Children of this host and boot whose end nobody journalled. Same errors. */
  openChildren(): Promise<readonly OpenChild[]>;
  /** Same errors. */
  lockOwner(invocationId: string): Promise<(HostFacts & { readonly process: ProcessIdentity }) | null>;
  /** Waits for the lines under way and closes the file. */
  dispose(): Promise<void>;
}

/**
 * The attempt journal of this program (decisions §3): append-only, each line on the disk before the next step
 * is taken. Every program writes a file of its own, so that a line torn by a crash is the last of its file.
 */
export function createJournal(deps: JournalDeps): AttemptJournal {
  const writer = createLineWriter(deps);
  const read = async (): ReturnType<typeof readJournal> => {
    try {
      return await readJournal(deps.folder);
    } catch (error) {
      throw new FlowError(
        {
          code: "JOURNAL_UNREADABLE",
          message: "The attempt journal of this host cannot be read, so it proves nothing about an attempt.",
          place: deps.folder,
          remedy: "Check the rights of the folder; until then decide on other evidence.",
        },
        error,
      );
    }
  };
  return {
    hostFacts: deps.hostFacts,
    append: async (entry) => {
      const line: JournalLine = {
        kind: JOURNAL_KIND,
        formatVersion: JOURNAL_FORMAT_VERSION,
        at: new Date(deps.clock.nowMs()).toISOString(),
        ...deps.hostFacts,
        ...entry,
      };
      await writer.write(JSON.stringify(line));
    },
    evidenceFor: async (attemptId) => evidenceOf(await read(), attemptId, deps.hostFacts),
    openChildren: async () => openChildrenOf(await read(), deps.hostFacts),
    lockOwner: async (invocationId) => lockOwnerOf(await read(), invocationId),
    dispose: writer.close,
  };
}

interface LineWriter {
  write(line: string): Promise<void>;
  close(): Promise<void>;
}

/** Writes whole lines one after another and flushes each. A line that failed half-way is closed off by the next. */
function createLineWriter(deps: JournalDeps): LineWriter {
  let file: FileHandle | null = null;
  let torn = false;
  let queue: Promise<void> = Promise.resolve();

  const writeNow = async (line: string): Promise<void> => {
    try {
      file ??= await createFile(deps);
      const text = `${torn ? "\n" : ""}${line}\n`;
      torn = true;
      await file.appendFile(text, "utf8");
      await file.sync();
      torn = false;
    } catch (error) {
      throw new FlowError(
        {
          code: "JOURNAL_WRITE_FAILED",
          message: "A line of the attempt journal could not be brought to the disk.",
          place: deps.folder,
          remedy: "Check free space and rights of the data folder.",
        },
        error,
      );
    }
  };
  const enqueue = (task: () => Promise<void>): Promise<void> => {
    const turn = queue.then(task);
    queue = turn.catch(() => undefined);
    return turn;
  };
  return {
    write: (line) => enqueue(() => writeNow(line)),
    close: () =>
      enqueue(async () => {
        await file?.close();
        file = null;
      }),
  };
}

async function createFile({ folder, clock, ids }: JournalDeps): Promise<FileHandle> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const stamp = new Date(clock.nowMs()).toISOString().replace(/[-:.]/g, "");
  const file = await open(join(folder, `attempts-${stamp}-${ids.uuid().slice(0, 8)}.jsonl`), "ax", 0o600);
  await syncFolder(folder);
  return file;
}

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
