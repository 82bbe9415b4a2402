/** The execution bundle: what a Run was started with, byte for byte (wire-format §3). */

export { AUDIT_EXPORT_KIND, type AuditExport, auditExport } from "./audit-export.ts";
export { type Bundle, type BundleInput, type BundleJob, buildBundle } from "./build.ts";
export { canonicalJson } from "./canonical-json.ts";
export {
  EVIDENCE_MANIFEST_PATH,
  type EvidenceKind,
  type EvidenceManifest,
  evidenceManifest,
} from "./evidence-manifest.ts";
export {
  type ApprovedException,
  isJobPath,
  jobPath,
  MANIFEST_PATH,
  type Manifest,
  type ManifestJob,
  manifestSchema,
  NETWORK_PATH,
} from "./manifest.ts";
export { type VerifiedBundle, type VerifiedJob, verifyBundle } from "./verify.ts";
export { readZip } from "./zip-reader.ts";
export { writeZip } from "./zip-writer.ts";
