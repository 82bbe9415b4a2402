import {
  type RolesFile,
  rolesFile,
  SETTING_FAULTS,
  type SettingFault,
  type SettingsFile,
  settingsFile,
} from "../../shared/api/index.ts";
import type { SettingsSection } from "./sections.ts";

export interface Fault {
  /** Where, as `connections.0.baseUrl`. */
  readonly path: string;
  readonly fault: SettingFault;
  readonly section: SettingsSection;
}

const SECTIONS: Readonly<Record<string, SettingsSection>> = {
  connections: "connections",
  activeConnection: "connections",
  hosts: "network",
  schedulesPath: "network",
  view: "display",
  budget: "budget",
};

/** What keeps the typed settings from being saved; the same schema main and the file go by. */
export function faultsOf(settings: SettingsFile | null, roles: RolesFile | null): readonly Fault[] {
  const issues = settings === null ? [] : (settingsFile.safeParse(settings).error?.issues ?? []);
  const ofRoles = roles === null ? [] : (rolesFile.safeParse(roles).error?.issues ?? []);
  const all: Fault[] = [
    ...issues.map(({ path, message }) => ({
      path: path.map(String).join("."),
      fault: nameOf(message),
      section: SECTIONS[String(path[0])] ?? "connections",
    })),
    ...ofRoles.map(({ path, message }) => ({
      path: ["roles", ...path].map(String).join("."),
      fault: nameOf(message),
      section: "roles" as const,
    })),
  ];
  // One a field: what is empty need not be told its form as well.
  return all.filter(({ path }, index) => all.findIndex((other) => other.path === path) === index);
}

/** A message that is none of ours says that a value has not the right form at all: it is still to be entered. */
const nameOf = (message: string): SettingFault =>
  SETTING_FAULTS.find((name) => name === message) ?? "required";

/** The fault at or below a field. */
export const faultAt = (faults: readonly Fault[], path: string): Fault | null =>
  faults.find((fault) => fault.path === path || fault.path.startsWith(`${path}.`)) ?? null;
