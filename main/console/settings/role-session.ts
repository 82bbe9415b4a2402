import type { RolesFile, SessionInfo } from "../../../shared/api/index.ts";
import { FlowError } from "../../../shared/domain/problem.ts";
import { decideSession, mayChangeRoles } from "../roles.ts";
import type { RolesChange } from "./ports.ts";
import { createQueue } from "./queue.ts";
import { changedRoles } from "./roles-change.ts";
import type { VersionedContent, VersionedFile } from "./versioned-file.ts";

export interface RoleSessionDeps {
  readonly file: VersionedFile<RolesFile>;
  /** The account of the operating system this console runs as. */
  readonly account: string;
  /** Told when the file is another one than before; null where this console saved it itself. */
  readonly changed: (found: RolesChange | null) => void;
}

/** What this session may do, as the file says it now. */
export interface RoleSession {
  /** As last read. */
  current(): SessionInfo;
  /** After the file was read again: it may have been edited by hand, or by another console. Never rejects. */
  now(): Promise<SessionInfo>;
  /** Replaces the roles; `written` comes first and keeps them as they are when it rejects. Codes of the file, `MODE_TOO_LOW`. */
  save(revision: string, next: RolesFile, written: (change: RolesChange) => Promise<void>): Promise<void>;
}

/**
 * The role of a session that outlives its reading (decisions §5). The file is read whole each time: it is small, acts
 * are rare, and the times of a file system do not tell two edits of one moment apart.
 */
export async function openRoleSession({ file, account, changed }: RoleSessionDeps): Promise<RoleSession> {
  let known: VersionedContent<RolesFile> = await file.read();
  let session = decideSession(account, known);
  const queue = createQueue();
  const take = (next: VersionedContent<RolesFile>): void => {
    session = decideAgain(account, session, known, next);
    known = next;
  };
  const readAgain = async (): Promise<SessionInfo> => {
    const next = await file.read();
    if (next.revision === known.revision) return session;
    const change = { from: "file", ...changedRoles(known, next) } as const;
    take(next);
    changed(change);
    return session;
  };
  return {
    current: () => session,
    now: () => queue(readAgain),
    save: (revision, next, written) =>
      queue(async () => {
        await readAgain();
        if (!mayChangeRoles(session, known.value)) throw new FlowError(notAllowed(account));
        if (known.revision === revision && known.readOnly === null) {
          await written({ from: "console", ...changedRoles(known, { value: next, readOnly: null }) });
        }
        await file.save(revision, next);
        take(await file.read());
        changed(null);
      }),
  };
}

/**
 * A file that is gone gives nobody more than it gave before: without any every account may operate, and one that is
 * being replaced is away for a moment. The next start takes its absence as it is.
 */
function decideAgain(
  account: string,
  before: SessionInfo,
  { revision }: VersionedContent<RolesFile>,
  next: VersionedContent<RolesFile>,
): SessionInfo {
  const decided = decideSession(account, next);
  const isGone = next.value === null && next.readOnly === null && revision !== next.revision;
  return isGone && before.mode === "view" ? before : decided;
}

const notAllowed = (account: string) => ({
  code: "MODE_TOO_LOW",
  message: `The account ${account} may not change the roles.`,
  place: "roles.json",
  remedy: "Ask somebody whose role allows it.",
});
