import { z } from "zod";

export const EVIDENCE_MANIFEST_PATH = "manifest.json";
export const EVIDENCE_KINDS = ["FLOWNET_EVIDENCE", "FLOWNET_DIAGNOSIS"] as const;
export type EvidenceKind = (typeof EVIDENCE_KINDS)[number];

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const path = z.string().regex(/^[A-Za-z0-9._-]+(\/[A-Za-z0-9._-]+)*$/);

/**
 * What a saved evidence or diagnosis holds (decisions §1; operator-ux §1.2, electron-desktop G5): every file with its
 * SHA-256, and everything that could not be read with why. The manifest lists all files but itself.
 */
export const evidenceManifest = z.strictObject({
  kind: z.enum(EVIDENCE_KINDS),
  formatVersion: z.literal(1),
  /** ISO-8601 UTC. */
  madeAt: z.string(),
  madeBy: z.strictObject({ account: z.string(), host: z.string() }),
  program: z.strictObject({
    version: z.string(),
    node: z.string(),
    electron: z.string().nullable(),
    platform: z.string(),
  }),
  workspace: z.strictObject({ profile: z.string(), baseUrl: z.string() }),
  /** The Run it is about; null for a diagnosis. */
  subject: z.strictObject({ runId: z.string(), businessKey: z.string().nullable() }).nullable(),
  files: z.array(z.strictObject({ path, bytes: z.int().min(0), sha256 })),
  gaps: z.array(z.strictObject({ what: z.string(), code: z.string(), message: z.string() })),
});
export type EvidenceManifest = z.infer<typeof evidenceManifest>;
