import { z } from "zod";
import { TOKEN_RIGHTS } from "../model.ts";

const id = z.union([z.string().regex(/^\d{1,15}$/), z.number().int().positive()]).transform(String);
const code = z.string().min(1).max(128);
const milliseconds = z.number().int().nonnegative();

/** A record another person writes by hand (F15). `record` "matched" is the one of the request that fired the rule. */
const writeRecord = z.strictObject({
  kind: z.literal("write-record"),
  /** Both default to what the request names. */
  app: id.optional(),
  record: z.union([z.literal("matched"), id]).default("matched"),
  fields: z.record(z.string(), z.strictObject({ value: z.unknown() })).default({}),
  user: z.strictObject({ code, name: code }).default({ code: "operator", name: "operator" }),
});

/** The server's clock (F16); `run` makes it the real one again. */
const clock = z.discriminatedUnion("set", [
  z.strictObject({ kind: z.literal("clock"), set: z.literal("offset"), ms: z.number().int() }),
  z.strictObject({ kind: z.literal("clock"), set: z.literal("step"), ms: z.number().int() }),
  z.strictObject({
    kind: z.literal("clock"),
    set: z.literal("freeze"),
    /** Now when left out. */
    at: z.iso.datetime({ offset: true }).optional(),
  }),
  /** Steps forward to the next time the minute has this second (F17). */
  z.strictObject({
    kind: z.literal("clock"),
    set: z.literal("second"),
    second: z.number().int().min(0).max(59),
  }),
  z.strictObject({ kind: z.literal("clock"), set: z.literal("run") }),
]);

/** How the server as a whole deviates (F4, F18, F19, F22-F24, F28); a key that is left out stays. */
const switches = z.strictObject({
  kind: z.literal("switches"),
  maintenance: z.union([z.enum(["off", "all"]), z.strictObject({ apps: z.array(id) })]).optional(),
  legacyTokenStatus: z.boolean().optional(),
  foreignTokenCode: z.enum(["GAIA_AP15", "GAIA_IA02", "GAIA_NO01"]).optional(),
  deployMs: milliseconds.optional(),
  /** How deploys end; null lets them end on their merits. */
  deployOutcome: z.enum(["FAIL", "CANCEL"]).nullable().optional(),
  dailyLimit: z.number().int().positive().nullable().optional(),
  uploadLifetimeMs: milliseconds.optional(),
  cursorLifetimeMs: milliseconds.optional(),
  likeIndexLagMs: milliseconds.optional(),
  textEquality: z.enum(["exact", "token"]).optional(),
});

/** F20: no rights at all revoke the token. */
const token = z.strictObject({
  kind: z.literal("token"),
  app: id,
  label: code,
  rights: z.array(z.enum(TOKEN_RIGHTS)),
});
const password = z.strictObject({
  kind: z.literal("password"),
  user: z.strictObject({ code, name: code.optional() }),
  password: z.string().min(1),
});

/** F21: a change of the live form, carried out at once and without a trace in the preview. */
const schemaChange = z.strictObject({
  kind: z.literal("schema"),
  app: id,
  change: z.enum([
    "drop-field",
    "rename-field",
    "drop-option",
    "rename-option",
    "make-required",
    "make-optional",
    "remove-unique",
  ]),
  field: code,
  option: z.string().optional(),
  /** The new code or option of a renaming. */
  to: code.optional(),
});

const snapshotName = z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/);
/** F30. */
const snapshot = z.strictObject({ kind: z.literal("snapshot"), name: snapshotName });
const restore = z.strictObject({ kind: z.literal("restore"), name: snapshotName });

/** Something that happens in the service without any client asking for it (kintone-rest §19). */
export const actionSchema = z.discriminatedUnion("kind", [
  writeRecord,
  clock,
  switches,
  token,
  password,
  schemaChange,
  snapshot,
  restore,
]);
export type FaultAction = z.output<typeof actionSchema>;
export type FaultActionInput = z.input<typeof actionSchema>;
export type ActionOf<K extends FaultAction["kind"]> = Extract<FaultAction, { kind: K }>;
