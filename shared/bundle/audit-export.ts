import { z } from "zod";

export const AUDIT_EXPORT_KIND = "FLOWNET_AUDIT_EXPORT";

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

/**
 * An exported history (decisions §1). `hash` is the SHA-256 of `previous`, a line feed and the canonical JSON of entry,
 * facts and problem; the first `previous` is all zeros and the last hash is `head`.
 */
export const auditExport = z.strictObject({
  kind: z.literal(AUDIT_EXPORT_KIND),
  formatVersion: z.literal(1),
  /** ISO-8601 UTC. */
  exportedAt: z.string(),
  workspace: z.strictObject({ profile: z.string(), baseUrl: z.string(), host: z.string() }),
  filter: z.record(z.string(), z.string()),
  /** False where the history goes on behind the last entry. */
  complete: z.boolean(),
  /** Whether the console's own journal was whole at that moment. */
  journal: z.record(z.string(), z.unknown()),
  entries: z.array(
    z.strictObject({
      entry: z.record(z.string(), z.unknown()),
      facts: z.unknown(),
      problem: z.unknown(),
      previous: sha256,
      hash: sha256,
    }),
  ),
  head: sha256,
});
export type AuditExport = z.infer<typeof auditExport>;
