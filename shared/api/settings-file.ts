import { z } from "zod";

/** Why a setting cannot be taken; each has its words beside the field. */
export const SETTING_FAULTS = [
  "required",
  "tooLong",
  "appId",
  "spaceId",
  "address",
  "absolutePath",
  "proxyUrl",
  "profile",
  "host",
  "timeZone",
  "clockTime",
  "budget",
  "sameApp",
  "sameName",
  "sameAccount",
  "activeUnknown",
  "nobodyOperates",
] as const;
export type SettingFault = (typeof SETTING_FAULTS)[number];

const fault = (name: SettingFault) => ({ error: name });

const line = (max: number) =>
  z
    .string()
    .max(max, fault("tooLong"))
    .refine((text) => text.trim() !== "" && !/\p{Cc}/u.test(text), fault("required"));

/** A path that means the same whatever the working folder is: `/…`, `C:\…` or `\\server\share\…`. */
const isAbsolutePath = (text: string): boolean => /^(\/|[A-Za-z]:[\\/]|\\\\[^\\]+\\)/.test(text);
const path = line(1000).refine(isAbsolutePath, fault("absolutePath"));

const LABEL = "[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?";
const HOST = `${LABEL}(?:\\.${LABEL})*`;
const PORT = "(?::[1-9]\\d{0,4})?";
const ADDRESS = new RegExp(`^(?:https://${HOST}|http://localhost)${PORT}/?$`);
const PROXY = new RegExp(`^https?://${HOST}${PORT}/?$`);

/** Scheme and host alone; https, or http to this machine (kintone-rest §1.1). The paths below are the program's. */
const isKintoneAddress = (text: string): boolean => ADDRESS.test(text);

/** Without a path, and without a password: it would stand in a file that is no place for one. */
const isProxyUrl = (text: string): boolean => PROXY.test(text);

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

const positive = (name: "appId" | "spaceId") =>
  z.int(fault(name)).min(1, fault(name)).max(9_999_999_999, fault(name));

export const APP_SLOTS = ["state", "audit", "request", "jobLog"] as const;
export type AppSlot = (typeof APP_SLOTS)[number];

const apps = z
  .strictObject({
    state: positive("appId"),
    audit: positive("appId"),
    /** Null where nobody polls requests. */
    request: positive("appId").nullable(),
    jobLog: positive("appId"),
  })
  .superRefine((found, context) => {
    for (const [index, slot] of APP_SLOTS.entries()) {
      const id = found[slot];
      const taken = id !== null && APP_SLOTS.slice(0, index).some((other) => found[other] === id);
      if (taken) context.addIssue({ code: "custom", path: [slot], message: "sameApp" });
    }
  });

export const PROXY_MODES = ["none", "system", "manual"] as const;
const proxy = z.discriminatedUnion("mode", [
  z.strictObject({ mode: z.literal("none") }),
  z.strictObject({ mode: z.literal("system") }),
  z.strictObject({ mode: z.literal("manual"), url: line(500).refine(isProxyUrl, fault("proxyUrl")) }),
]);

const connectionId = z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/);

/** A kintone of one's own, with the runner that works on it. Its tokens are kept elsewhere. */
const connectionSettings = z.strictObject({
  id: connectionId,
  name: line(60),
  profile: line(64).refine((text) => /^[\w.-]+$/.test(text), fault("profile")),
  baseUrl: line(300).refine(isKintoneAddress, fault("address")),
  /** All apps stand in this guest space, or, when null, outside of all (fenced-writes R8). */
  guestSpaceId: positive("spaceId").nullable(),
  apps,
  runner: z.strictObject({
    bin: path,
    binArgs: z
      .array(z.string().max(1000, fault("tooLong")))
      .max(50)
      .readonly(),
    configPath: path,
    workDir: path,
  }),
  proxy,
  caFile: path.nullable(),
  allowListPath: path.nullable(),
});
export type ConnectionSettings = z.infer<typeof connectionSettings>;

export const VIEW_LANGUAGES = ["system", "ja", "en"] as const;
export const VIEW_THEMES = ["system", "light", "dark", "contrast"] as const;
export const DENSITIES = ["compact", "comfortable"] as const;
export type Density = (typeof DENSITIES)[number];

export const viewSettings = z.strictObject({
  language: z.enum(VIEW_LANGUAGES),
  theme: z.enum(VIEW_THEMES),
  timeZone: line(64).refine(isTimeZone, fault("timeZone")),
  density: z.enum(DENSITIES),
});
export type ViewSettings = z.infer<typeof viewSettings>;

const hostName = line(64).refine((text) => /^[\w.-]+$/.test(text), fault("host"));
/** Fewest requests a day that still let a console keep its picture. */
const BUDGET_MIN = 100;

const clockTime = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, fault("clockTime"));

const content = z.strictObject({
  kind: z.literal("FLOWNET_SETTINGS"),
  formatVersion: z.literal(1),
  /** Null: the embedded workspace. Variables win over both. */
  activeConnection: connectionId.nullable(),
  connections: z.array(connectionSettings).max(20).readonly(),
  /** Hosts that work on the same apps; empty: not told. */
  hosts: z.array(hostName).max(200).readonly(),
  /** `schedules.json`, when it does not lie in the data folder. */
  schedulesPath: path.nullable(),
  view: viewSettings,
  /** Whether this host carries requests out while a console or `flownet serve` runs; absent: `auto` (orchestration §7). */
  requestPoller: z.enum(["auto", "on", "off"]).optional(),
  /** No notice of the system is shown in these hours of the window's zone; absent: there are none. */
  quietHours: z.strictObject({ from: clockTime, to: clockTime }).nullable().optional(),
  /** Requests of one app in a day this console may spend; kintone counts per app (kintone-rest §14). */
  budget: z.strictObject({
    requestsPerAppAndDay: z
      .int(fault("budget"))
      .min(BUDGET_MIN, fault("budget"))
      .max(1_000_000, fault("budget")),
  }),
});

/**
 * The settings of this host as they stand in `settings.json`, without any secret (decisions §1). One schema for the
 * file, the form and the API: what the form lets through is what the file takes.
 */
export const settingsFile = content.superRefine(({ activeConnection, connections }, context) => {
  for (const [index, { id, name }] of connections.entries()) {
    const before = connections.slice(0, index);
    if (before.some((other) => other.name === name || other.id === id)) {
      context.addIssue({ code: "custom", path: ["connections", index, "name"], message: "sameName" });
    }
  }
  if (activeConnection !== null && !connections.some(({ id }) => id === activeConnection)) {
    context.addIssue({ code: "custom", path: ["activeConnection"], message: "activeUnknown" });
  }
});
export type SettingsFile = z.infer<typeof settingsFile>;

/** What holds where there is no file. */
export const DEFAULT_SETTINGS: SettingsFile = {
  kind: "FLOWNET_SETTINGS",
  formatVersion: 1,
  activeConnection: null,
  connections: [],
  hosts: [],
  schedulesPath: null,
  view: { language: "system", theme: "system", timeZone: "Asia/Tokyo", density: "compact" },
  // What a kintone answers a day and app (operator-ux §3.1); the wide course's larger limit is not presumed.
  budget: { requestsPerAppAndDay: 10_000 },
};
