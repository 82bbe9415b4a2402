import {
  type ConnectionSettings,
  DEFAULT_SETTINGS,
  type RolesFile,
  type SettingsFile,
} from "../../shared/api/index.ts";

/** A connection with what a test cares about. */
export function connectionSample(change: Partial<ConnectionSettings> = {}): ConnectionSettings {
  return {
    id: "prod",
    name: "本番",
    profile: "prod",
    baseUrl: "https://example.test",
    guestSpaceId: null,
    apps: { state: 11, audit: 12, request: 13, jobLog: 14 },
    runner: {
      bin: "/opt/ksql-flow",
      binArgs: [],
      configPath: "/etc/ksql.config.json",
      workDir: "/var/work",
    },
    proxy: { mode: "none" },
    caFile: null,
    allowListPath: null,
    ...change,
  };
}

/** Settings with one connection in use. */
export function settingsSample(change: Partial<SettingsFile> = {}): SettingsFile {
  return { ...DEFAULT_SETTINGS, activeConnection: "prod", connections: [connectionSample()], ...change };
}

export function rolesSample(change: Partial<RolesFile> = {}): RolesFile {
  return {
    kind: "FLOWNET_ROLES",
    formatVersion: 1,
    otherAccounts: "view",
    accounts: [
      { account: "sato", mode: "operate" },
      { account: "suzuki", mode: "approve" },
    ],
    ...change,
  };
}
