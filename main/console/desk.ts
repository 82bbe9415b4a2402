import { join } from "node:path";
import { createActionJournal } from "./acting/journal/index.ts";
import { type Audit, createAudit, createJournalSource, createRecordSource } from "./audit/index.ts";
import { systemIds } from "./clock.ts";
import type { LiveModel } from "./live-model-ports.ts";
import type { Workspace } from "./ports.ts";
import { createSavedFiles, type SavedFiles } from "./saved-files.ts";

export interface DeskDeps {
  readonly workspace: Workspace;
  readonly live: Pick<LiveModel, "row">;
  /** Epoch milliseconds. */
  readonly nowMs: () => number;
}

/** What an operator reads back and takes along: the history, and the files made of it. */
export interface Desk {
  readonly audit: Audit;
  readonly files: SavedFiles;
}

/** Opens it over one workspace. It owns nothing that has to be closed. */
export function openDesk({ workspace, live, nowMs }: DeskDeps): Desk {
  const { profile, baseUrl, host, folders, log } = workspace;
  const files = createSavedFiles({ uuid: systemIds.uuid, nowMs });
  const journal = createActionJournal({
    folder: join(folders.journal, "actions"),
    who: READER,
    nowMs,
  });
  const audit = createAudit({
    records: createRecordSource(workspace.audits, live.row),
    journal: createJournalSource(journal, live.row),
    files,
    evidenceFolder: folders.evidence,
    workspace: { profile, baseUrl, host },
    clean: log.clean,
    nowMs,
  });
  return { audit, files };
}

/** This reader writes no line; whoever acts has a journal of its own. */
const READER = {
  account: "",
  requestedBy: "",
  servicePrincipal: "",
  host: "",
  version: "",
  pid: 0,
} as const;
