import { eventIterator, oc } from "@orpc/contract";
import { z } from "zod";
import { answer, problemSchema } from "./result.ts";
import { checkEvent } from "./settings-check.ts";
import { settingsFile } from "./settings-file.ts";
import { rolesFile } from "./settings-roles.ts";
import { MODES } from "./workspace.ts";

const TOKEN_STATES = ["set", "unset", "undecryptable"] as const;

/** A token as anybody may know it: whether it is there, and its end. */
const tokenInfo = z.object({
  connectionId: z.string(),
  /** An app slot, or `runner/<variable>` for what the runner's configuration names as `env:<variable>`. */
  slot: z.string(),
  state: z.enum(TOKEN_STATES),
  /** The last four characters; null where that would be too much of it. */
  ending: z.string().nullable(),
});
export type TokenInfo = z.infer<typeof tokenInfo>;

const sessionInfo = z.object({
  account: z.string(),
  mode: z.enum(MODES),
  /** Where the mode comes from. `unreadable`: the roles cannot be read, so nothing may be changed. */
  source: z.enum(["roles", "otherAccounts", "noRoles", "unreadable", "fallback"]),
});
export type SessionInfo = z.infer<typeof sessionInfo>;

const settingsView = z.object({
  /** Of the file as read; a change is saved only on top of it. */
  revision: z.string(),
  settings: settingsFile,
  /** Why nothing can be saved: a newer version's file, or one that cannot be read. */
  readOnly: problemSchema.nullable(),
  roles: z.object({
    revision: z.string(),
    /** Null: no roles yet, every account may operate. */
    file: rolesFile.nullable(),
    readOnly: problemSchema.nullable(),
  }),
  session: sessionInfo,
  /** What this session may change; main refuses the rest. */
  may: z.object({ settings: z.boolean(), roles: z.boolean() }),
  secretStore: z.enum(["available", "unavailable"]),
  tokens: z.array(tokenInfo).readonly(),
  /** What this window works on now; a change of the active connection counts from the next start. */
  opened: z.object({
    source: z.enum(["variables", "settings", "embedded", "fallback"]),
    connectionId: z.string().nullable(),
    /** Why the active connection could not be opened. */
    problem: problemSchema.nullable(),
  }),
  dataFolder: z.string(),
  /** The log of this program: what to look into, and to hand on, when something is odd (electron-desktop G2). */
  log: z.object({
    file: z.string(),
    /** Lines the disk did not take. */
    dropped: z.number().int(),
  }),
  host: z.string(),
});
export type SettingsView = z.infer<typeof settingsView>;

/** Printable, without what separates tokens in a header. */
const token = z
  .string()
  .min(1)
  .max(500)
  .regex(/^[!-+\--~]+$/);
const slot = z.string().regex(/^(state|audit|request|jobLog|runner\/[A-Za-z_]\w{0,99})$/);
const ofToken = { connectionId: z.string().min(1).max(40), slot };
const revision = z.string().max(100);

/** The settings of this host. A token goes in once and never comes out (electron-desktop, secrets). */
export const settingsContract = {
  get: oc.input(z.strictObject({})).output(answer(settingsView)),
  save: oc.input(z.strictObject({ revision, settings: settingsFile })).output(answer(settingsView)),
  saveRoles: oc.input(z.strictObject({ revision, roles: rolesFile })).output(answer(settingsView)),
  setToken: oc.input(z.strictObject({ ...ofToken, token })).output(answer(settingsView)),
  removeToken: oc.input(z.strictObject(ofToken)).output(answer(settingsView)),
  /** Looks at a saved connection, item by item; writes nothing. Ending the iteration ends the check. */
  check: oc
    .input(z.strictObject({ connectionId: z.string().min(1).max(40) }))
    .output(eventIterator(checkEvent)),
};
