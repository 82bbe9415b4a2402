import type { AttentionPicture, ProcessesPicture } from "../../../shared/api/index.ts";
import type { Audit } from "../audit/index.ts";
import type { Notes } from "../notes/index.ts";
import type { Workspace } from "../ports.ts";
import type { SavedFiles } from "../saved-files.ts";

export interface BundleDeps {
  readonly workspace: Pick<
    Workspace,
    | "profile"
    | "baseUrl"
    | "host"
    | "kind"
    | "reads"
    | "logs"
    | "log"
    | "folders"
    | "settings"
    | "attemptEvidence"
    | "schedulesFile"
    | "requests"
    | "serverClock"
    | "apps"
  >;
  readonly audit: Pick<Audit, "text" | "chain">;
  readonly notes: Pick<Notes, "all">;
  readonly attention: (signal?: AbortSignal) => Promise<AttentionPicture>;
  readonly processes: (signal?: AbortSignal) => Promise<ProcessesPicture>;
  readonly files: SavedFiles;
  readonly account: () => string;
  readonly version: string;
  /** Epoch milliseconds. */
  readonly nowMs: () => number;
}
