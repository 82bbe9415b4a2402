import type { ResolvedKey } from "../../shared/domain/index.ts";
import type { LockSession } from "../store/index.ts";
import type { IoRoot } from "./csv/index.ts";
import type { LoadedDefinition } from "./definition-file.ts";

export interface RunnerVersions {
  readonly flowVersion: string;
  readonly engineVersion: string;
}

/** What one Invocation holds from the moment the Network lock is its own. */
export interface Held {
  readonly loaded: LoadedDefinition;
  /** Null when the Run was named by its id. */
  readonly key: ResolvedKey | null;
  readonly versions: RunnerVersions;
  /** Null when no node of the deployed definition uses files. */
  readonly io: IoRoot | null;
  readonly session: LockSession;
  readonly invocationId: string;
}
