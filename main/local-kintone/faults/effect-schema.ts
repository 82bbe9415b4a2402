import { z } from "zod";
import { actionSchema } from "./action-schema.ts";

const milliseconds = z.number().int().nonnegative().max(3_600_000);

/** F1, F2, F3: the request stands still until it is released. */
const barrier = z.strictObject({
  kind: z.literal("barrier"),
  /**
   * `before` anything is read; `between` the checks and the write, with no transaction open; `after-success` with the
   * write committed and the answer unsent.
   */
  phase: z.enum(["before", "between", "after-success"]),
  /** After this time the request ends with an error of its own and the journal says so. */
  limitMs: milliseconds.positive().default(120_000),
});

/** F4. `refuse` closes the port itself, so its rule may name a `client` (a port) and nothing else. */
const block = z.strictObject({
  kind: z.literal("block"),
  how: z.enum(["refuse", "reset", "black-hole"]),
  calls: z.enum(["all", "writes", "reads"]).default("all"),
});

/** F7, F5, F6, F8. */
const loseRequest = z.strictObject({ kind: z.literal("lose-request") });
const loseResponse = z.strictObject({ kind: z.literal("lose-response") });
const cutResponse = z.strictObject({
  kind: z.literal("cut-response"),
  /** Part of the body that arrives. */
  keep: z.number().min(0).max(1).default(0.5),
});
const duplicate = z.strictObject({
  kind: z.literal("duplicate"),
  /** Which of the two answers the client gets. */
  answer: z.enum(["first", "second"]).default("first"),
});

/** F9. A growing delay adds `growMs` at every firing. */
const delay = z.strictObject({
  kind: z.literal("delay"),
  ms: milliseconds.default(0),
  /** With it the delay is random, from `ms` up to this, drawn from the seed. */
  upToMs: milliseconds.optional(),
  growMs: milliseconds.default(0),
  /** Before anything is done, or after the write. */
  phase: z.enum(["before", "after"]).default("before"),
});
const slowBody = z.strictObject({
  kind: z.literal("slow-body"),
  chunkBytes: z.number().int().positive().default(64),
  pauseMs: milliseconds.default(100),
});

/** F10: an answer of the infrastructure; nothing is executed. */
const status = z.strictObject({
  kind: z.literal("status"),
  status: z
    .union([z.literal(429), z.literal(500), z.literal(502), z.literal(503), z.literal(504)])
    .or(z.literal([520, 522, 524])),
  body: z.enum(["json", "html", "empty"]).default("html"),
  /** Code of a JSON body; `GAIA_TO04` by default on a 429. */
  code: z
    .string()
    .regex(/^[A-Z0-9_]{1,40}$/)
    .optional(),
  retryAfter: z.string().max(60).optional(),
});

/** F11: how many of the matching requests may run at once. */
const concurrency = z.strictObject({
  kind: z.literal("concurrency"),
  limit: z.number().int().positive(),
});

/** F12: the code a stale revision is answered with; `alternate` draws it from the seed. */
const revisionLoser = z.strictObject({
  kind: z.literal("revision-loser"),
  code: z.enum(["GAIA_CO02", "GAIA_DA02", "alternate"]),
});

export const REFUSAL_CODES = [
  "GAIA_DA02",
  "CB_VA01",
  "GAIA_CO02",
  "GAIA_RE01",
  "GAIA_BL01",
  "GAIA_CN01",
  "GAIA_TM12",
  "GAIA_NO01",
  "GAIA_IA02",
  "CB_NO02",
] as const;

/** F13, F14, F23, F24, F25: a refusal of kintone's own although nothing is wrong; nothing is executed. */
const refuse = z.strictObject({
  kind: z.literal("refuse"),
  code: z.enum(REFUSAL_CODES),
  /** `errors` key and English text of a `CB_VA01`, such as `record.status.value`. */
  key: z.string().max(200).optional(),
  text: z.string().max(200).optional(),
});

/** F15-F21, F30: something else happens at the moment of a request. */
const act = z.strictObject({
  kind: z.literal("act"),
  phase: z.enum(["before", "between", "after"]).default("before"),
  action: actionSchema,
});

/** F24, F26, F27: a success that is none. */
const wrongBytes = z.strictObject({ kind: z.literal("wrong-bytes") });
const abortSearch = z.strictObject({
  kind: z.literal("abort-search"),
  /** Records that are still answered. */
  keep: z.number().int().nonnegative().default(0),
});
const malformed = z.strictObject({
  kind: z.literal("malformed"),
  how: z.enum(["html", "empty", "broken-json", "numbers", "drop-member"]),
  /** Member of the answer that is missing, `revision` by default. */
  member: z.string().max(60).default("revision"),
});

/** F29: the process dies as by `kill -9`, with the write committed and no byte answered. */
const crash = z.strictObject({
  kind: z.literal("crash"),
  phase: z.enum(["before", "after-commit"]).default("after-commit"),
});

/** What happens to a request (kintone-rest §19, F1-F30). */
export const effectSchema = z.discriminatedUnion("kind", [
  barrier,
  block,
  loseRequest,
  loseResponse,
  cutResponse,
  duplicate,
  delay,
  slowBody,
  status,
  concurrency,
  revisionLoser,
  refuse,
  act,
  wrongBytes,
  abortSearch,
  malformed,
  crash,
]);
export type FaultEffect = z.output<typeof effectSchema>;
export type EffectOf<K extends FaultEffect["kind"]> = Extract<FaultEffect, { kind: K }>;
