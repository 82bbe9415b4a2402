import { join } from "node:path";
import { sha256Hex } from "../../shared/domain/hash.ts";
import { createActionJournal } from "./acting/journal/index.ts";
import type { Attention } from "./attention/attention.ts";
import { type Audit, createAudit, createJournalSource, createRecordSource } from "./audit/index.ts";
import { type Bundles, createBundles } from "./bundle/index.ts";
import type { Children } from "./children/children.ts";
import { systemIds } from "./clock.ts";
import { writePrivateFile } from "./data-dir.ts";
import type { LiveModel } from "./live-model-ports.ts";
import { createNotes, type Notes } from "./notes/index.ts";
import type { Workspace } from "./ports.ts";
import { programVersion } from "./program-version.ts";
import { sessionAccount } from "./roles.ts";
import { createSavedFiles, type SavedFiles } from "./saved-files.ts";
import { readDataFile } from "./workspace-config.ts";

export interface DeskDeps {
  readonly workspace: Workspace;
  readonly live: Pick<LiveModel, "row">;
  readonly notes: Notes;
  readonly attention: Pick<Attention, "current">;
  readonly children: Pick<Children, "picture">;
  /** Epoch milliseconds. */
  readonly nowMs: () => number;
}

/** What an operator reads back and takes along: the history, and the files made of it. */
export interface Desk {
  readonly audit: Audit;
  readonly files: SavedFiles;
  readonly notes: Notes;
  readonly bundles: Bundles;
}

/** Opens it over one workspace. It owns nothing that has to be closed. */
export function openDesk({ workspace, live, notes, attention, children, nowMs }: DeskDeps): Desk {
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
  const bundles = createBundles({
    workspace,
    audit,
    notes,
    attention: attention.current,
    processes: children.picture,
    files,
    account: accountOf(workspace),
    version: programVersion(),
    nowMs,
  });
  return { audit, files, notes, bundles };
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

const accountOf =
  ({ settings }: Pick<Workspace, "settings">) =>
  (): string =>
    settings?.session().account ?? sessionAccount();

/** What people note in this workspace; each workspace of a data folder has a file of its own. */
export function openNotes({ workspace, nowMs }: Pick<DeskDeps, "workspace" | "nowMs">): Notes {
  const { baseUrl, profile, folders } = workspace;
  const place = sha256Hex(JSON.stringify([baseUrl, profile])).slice(0, 12);
  const path = join(folders.root, `notes-${place}.json`);
  return createNotes({
    path,
    read: () => readDataFile(path),
    write: (text) => writePrivateFile(path, text),
    account: accountOf(workspace),
    nowMs,
  });
}
