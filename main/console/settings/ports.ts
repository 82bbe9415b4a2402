import type {
  CheckEvent,
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
  saveRoles(revision: string, roles: RolesFile): Promise<void>;
  setToken(connectionId: string, slot: string, token: string): Promise<void>;
  removeToken(connectionId: string, slot: string): Promise<void>;
  check(connectionId: string, signal: AbortSignal): AsyncGenerator<CheckEvent>;
  /** What this session may do now; a change of the roles counts at once. */
  session(): SessionInfo;
  /** As last saved: they count at once. */
  display(): ViewSettings;
  /** How this console reads, likewise as last saved. */
  reading(): ReadingSettings;
  /** Told of every saved change; the answer ends it. */
  onChange(told: (change: SettingsChange) => void): () => void;
}

/** What was saved: the settings, the roles, or both in turn. */
export type SettingsChange = "settings" | "roles";

export interface ReadingSettings {
  readonly requestsPerAppAndDay: number;
  /** Null: `schedules.json` in the data folder. */
  readonly schedulesPath: string | null;
  /** Absent: `auto`. */
  readonly requestPoller?: "auto" | "on" | "off" | undefined;
}
