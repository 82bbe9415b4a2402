import { z } from "zod";
import { fail, ok, type Result } from "../domain/problem.ts";
import { canonicalJson } from "./canonical-json.ts";
import { decodeUtf8 } from "./utf8.ts";

export const NETWORK_PATH = "network.yaml";
export const MANIFEST_PATH = "manifest.json";
const JOB_PATH = /^jobs\/[A-Za-z0-9._-]+\.sql$/;

/** Path of a node's SQL in the bundle. */
export const jobPath = (nodeId: string): string => `jobs/${nodeId}.sql`;
/** Whether a path may stand in a bundle (wire-format §3, "Job path"). */
export const isJobPath = (path: string): boolean => JOB_PATH.test(path) && !path.includes("..");

const filled = z.string().min(1);
const fileFacts = { byteLength: z.int().min(0), sha256: z.string().regex(/^[0-9a-f]{64}$/) };

export const approvedExceptionSchema = z.strictObject({
  node_id: filled,
  code: z.literal("KSQL1306"),
  approved_by: filled,
  reason: filled,
  approved_at: filled,
});
/** A finding of a job a person accepted, keys as on the wire (wire-format §3). */
export type ApprovedException = z.infer<typeof approvedExceptionSchema>;

const networkItem = z.strictObject({ path: z.literal(NETWORK_PATH), ...fileFacts });
const jobItem = z.strictObject({
  path: z.string().refine(isJobPath, { message: "not a job path" }),
  ...fileFacts,
  nodeId: filled,
  jobId: filled,
  nondeterministicCodes: z.array(filled),
  approvedExceptions: z.array(approvedExceptionSchema),
});
export type ManifestJob = z.infer<typeof jobItem>;

type ManifestFile = z.infer<typeof networkItem> | ManifestJob;

/** Whether a manifest item is a job. */
export const isJob = (file: ManifestFile): file is ManifestJob => "nodeId" in file;

const unique = (paths: readonly string[]): boolean => new Set(paths).size === paths.length;

/** `manifest.json` of an execution bundle (wire-format §3). */
export const manifestSchema = z
  .strictObject({
    formatVersion: z.literal(1),
    kind: z.literal("EXECUTION_BUNDLE_MANIFEST"),
    files: z.array(z.union([networkItem, jobItem])),
  })
  .refine(({ files }) => unique(files.map((file) => file.path)), { message: "a path occurs twice" })
  .refine(({ files }) => files.some((file) => file.path === NETWORK_PATH), {
    message: "network.yaml is not listed",
  })
  // A job found under another node's path would run the wrong SQL.
  .refine(({ files }) => files.every((file) => !isJob(file) || file.path === jobPath(file.nodeId)), {
    message: "a job does not stand under its node's path",
  });
export type Manifest = z.infer<typeof manifestSchema>;

/**
 * The manifest in a bundle (wire-format §3, "Verification"): JSON, shape, and byte for byte its own canonical
 * form. Error: `BUNDLE_MANIFEST_INVALID`.
 */
export function parseManifest(bytes: Uint8Array): Result<Manifest> {
  const text = decodeUtf8(bytes);
  if (text === null) return invalid("it is not UTF-8");
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return invalid("it is not JSON");
  }
  const manifest = manifestSchema.safeParse(value);
  if (!manifest.success) {
    const issue = manifest.error.issues[0];
    return invalid(`${issue?.path.map(String).join(".")} ${issue?.message}`.trim());
  }
  return canonicalJson(value) === text ? ok(manifest.data) : invalid("it is not in canonical form");
}

/** A manifest that is missing or breaks its format. */
export const invalid = (what: string): Result<never> =>
  fail({
    code: "BUNDLE_MANIFEST_INVALID",
    message: `The bundle's manifest cannot be used: ${what}.`,
    place: MANIFEST_PATH,
    remedy: "The bundle was not written by this format or was changed; do not resume from it.",
  });
