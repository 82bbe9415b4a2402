/** The parts of the settings, in the order in which a host is set up. */
export const SETTINGS_SECTIONS = [
  "connections",
  "check",
  "network",
  "display",
  "roles",
  "approvers",
  "budget",
] as const;
export type SettingsSection = (typeof SETTINGS_SECTIONS)[number];

/** The part an address names; null for none that exists. */
export const sectionOf = (text: string | undefined): SettingsSection | null =>
  text === undefined ? "connections" : (SETTINGS_SECTIONS.find((section) => section === text) ?? null);
