import { z } from "zod";

/**
 * An export is gzip over lines of JSON: this head, one line a row in the order of its tables, and an end that tells
 * the number of rows and the SHA-256 over every byte before it. Tables instead of API answers, because ids, revisions
 * and the never reused counters have to come back as they were; `layout` says which tables those are.
 */
export const exportHeadSchema = z.strictObject({
  kind: z.literal("LOCAL_KINTONE_EXPORT"),
  formatVersion: z.literal(1),
  layout: z.number().int().positive(),
  databaseId: z.string().min(1),
  /** The base URL is part of every stored Run, so the port comes along; null where none was chosen. */
  port: z.number().int().min(1).max(65_535).nullable(),
  exportedAt: z.string(),
  withTokens: z.boolean(),
  tables: z.array(z.strictObject({ name: z.string(), columns: z.array(z.string()) })),
});
export type ExportHead = z.output<typeof exportHeadSchema>;

/** The number of the table in the head, then one value a column; bytes as base64 in an object. */
export const exportRowSchema = z.tuple(
  [z.number().int().nonnegative()],
  z.union([z.string(), z.number(), z.null(), z.strictObject({ base64: z.base64() })]),
);

export const exportEndSchema = z.strictObject({
  kind: z.literal("END"),
  rows: z.number().int().nonnegative(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});

export const exportResultSchema = z.object({
  kind: z.literal("LOCAL_KINTONE_EXPORTED"),
  formatVersion: z.literal(1),
  path: z.string(),
  databaseId: z.string(),
  apps: z.number(),
  records: z.number(),
  files: z.number(),
  withTokens: z.boolean(),
});
export type ExportResult = z.output<typeof exportResultSchema>;

/** Tables whose rows let somebody in. An export has them only when told to. */
export const SECRET_TABLES: ReadonlySet<string> = new Set(["tokens", "users"]);
