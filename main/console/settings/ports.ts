import type {
  CheckEvent,
  Mode,
  RolesFile,
  SessionInfo,
  SettingsFile,
  SettingsView,
  ViewSettings,
} from "../../../shared/api/index.ts";
import type { Problem } from "../../../shared/domain/problem.ts";

/** What the window works on, and how that was chosen. */
export interface OpenedBy {
  readonly source: "variables" | "settings" | "embedded" | "fallback";
  readonly connectionId: string | null;
  /** Why the active connection could not be opened; null unless `fallback`. */
  readonly problem: Problem | null;
}

/** The settings of a data folder while a console runs on it. Refusals are `FlowError`s. */
export interface SettingsHost {
  view(): Promise<SettingsView>;
  save(revision: string, settings: SettingsFile): Promise<void>;
  /** `written` is told before the roles count, and keeps them as they are when it rejects. */
  saveRoles(
    revision: string,
    roles: RolesFile,
    written?: (change: RolesChange) => Promise<void>,
  ): Promise<void>;
  setToken(connectionId: string, slot: string, token: string): Promise<void>;
  removeToken(connectionId: string, slot: string): Promise<void>;
  check(connectionId: string, signal: AbortSignal): AsyncGenerator<CheckEvent>;
  /** What this session may do, by the roles as last read. */
  session(): SessionInfo;
  /** The same after reading them again: what was edited by hand, or by another console, counts. Never rejects. */
  sessionNow(): Promise<SessionInfo>;
  /** As last saved: they count at once. */
  display(): ViewSettings;
  /** How this console reads, likewise as last saved. */
  reading(): ReadingSettings;
  /** Told of every change that counts; the answer ends it. */
  onChange(told: (change: SettingsChange, found?: RolesChange) => void): () => void;
}

/** What is another one now: the settings, or the roles; with what was found where something else wrote these. */
export type SettingsChange = "settings" | "roles";

/** Another role of an account; null where it had, or has, none of its own. */
export interface RoleChange {
  /** Null: whoever is not listed. */
  readonly account: string | null;
  readonly before: Mode | null;
  readonly after: Mode | null;
}

export interface RolesChange {
  /** Saved by this session, or found in a file that something else wrote. */
  readonly from: "console" | "file";
  readonly changes: readonly RoleChange[];
  /** Code of why the file cannot be used any more; null where it can. */
  readonly problem: string | null;
}

export interface ReadingSettings {
  readonly requestsPerAppAndDay: number;
  /** Null: `schedules.json` in the data folder. */
  readonly schedulesPath: string | null;
  /** Absent: `auto`. */
  readonly requestPoller?: "auto" | "on" | "off" | undefined;
}
