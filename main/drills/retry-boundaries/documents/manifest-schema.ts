import { z } from "zod";
import { caseSchema } from "./plan-schema.ts";

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const text = z.strictObject({ en: z.string(), ja: z.string() });

export const totalsSchema = z.strictObject({
  cases: z.int().min(0),
  children: z.int().min(0),
  read_backs: z.int().min(0),
  exits_86: z.int().min(0),
  busy: z.int().min(0),
  integrity_ok: z.int().min(0),
  hot_journal_recovery: z.int().min(0),
});

/**
 * `manifest.json`: written before the first child starts and never changed (retry-boundaries §8). It holds the
 * fixed input, the whole table with its expected values, the environment and the code's hashes.
 */
export const manifestSchema = z.strictObject({
  kind: z.literal("RETRY_BOUNDARIES_MANIFEST"),
  formatVersion: z.literal(1),
  schema: z.literal("retry-boundaries.manifest.v1"),
  suite: z.enum(["A-G", "extended-db"]),
  started_at: z.iso.datetime(),
  application_version: z.string(),
  input: z.strictObject({ event_id: z.string(), delta: z.int() }),
  environment: z.strictObject({
    os: z.string(),
    release: z.string(),
    arch: z.string(),
    runtime: z.string(),
    runtime_version: z.string(),
    sqlite_version: z.string(),
    binding: z.string(),
    binding_version: z.string(),
    /** Null where the system does not tell. */
    filesystem_type: z.string().nullable(),
  }),
  journal_mode: z.enum(["delete", "wal"]),
  synchronous: z.literal("FULL"),
  busy_timeout_ms: z.literal(0),
  limits: z.strictObject({ child_ms: z.int().positive(), run_ms: z.int().positive() }),
  /** By path below the experiment's own folder of sources. */
  code_sha256: z.record(z.string(), sha256),
  planned: totalsSchema,
  cases: z.array(caseSchema),
  caveats: z.array(text),
  completeness: z.string(),
});
export type Manifest = z.infer<typeof manifestSchema>;

/** `artifact-hashes.json`: written last; every file but itself, sorted by path (retry-boundaries §8). */
export const hashesSchema = z.strictObject({
  kind: z.literal("RETRY_BOUNDARIES_HASHES"),
  formatVersion: z.literal(1),
  schema: z.literal("retry-boundaries.artifact-hashes.v1"),
  files: z.array(z.strictObject({ path: z.string().min(1), bytes: z.int().min(0), sha256 })),
});
export type ArtifactHashes = z.infer<typeof hashesSchema>;
