import { sha256Hex } from "../domain/hash.ts";
import { fail, ok, type Result } from "../domain/problem.ts";
import {
  invalid,
  isJob,
  MANIFEST_PATH,
  type Manifest,
  type ManifestJob,
  NETWORK_PATH,
  parseManifest,
} from "./manifest.ts";
import { readZip } from "./zip-reader.ts";

/** A job of a verified bundle, with its bytes. */
export interface VerifiedJob extends ManifestJob {
  readonly sql: Uint8Array;
}

/** Everything in a bundle whose bytes were proven. */
export interface VerifiedBundle {
  readonly networkYaml: Uint8Array;
  /** In the order of the manifest. */
  readonly jobs: readonly VerifiedJob[];
  readonly manifest: Manifest;
  readonly zipSha256: string;
  /** To compare with the Run's `definition_sha256`. */
  readonly definitionSha256: string;
}

const mismatch = (what: string, place: string): Result<never> =>
  fail({
    code: "BUNDLE_FILE_MISMATCH",
    message: `The bundle does not hold what its manifest lists: ${what}.`,
    place,
    remedy: "The bundle was changed after it was written; do not resume from it.",
  });

function matchFiles(manifest: Manifest, contents: ReadonlyMap<string, Uint8Array>): Result<null> {
  for (const { path, byteLength, sha256 } of manifest.files) {
    const data = contents.get(path);
    if (data === undefined) return mismatch("a listed file is missing", path);
    if (data.length !== byteLength || sha256Hex(data) !== sha256) return mismatch("a file was changed", path);
  }
  const listed = new Set<string>(manifest.files.map((file) => file.path));
  const stranger = [...contents.keys()].find((name) => name !== MANIFEST_PATH && !listed.has(name));
  return stranger === undefined ? ok(null) : mismatch("a file is not listed", stranger);
}

/**
 * Opens a bundle and proves every byte of it (wire-format §3, "Verification"). `expectedSha256` is the hash
 * the Run's record carries; null where no record is at hand (a bundle opened offline). Errors, in the order
 * of the checks: `BUNDLE_HASH_MISMATCH`, `BUNDLE_ZIP_INVALID`, `BUNDLE_MANIFEST_INVALID`,
 * `BUNDLE_FILE_MISMATCH`. The returned bytes are views into `zip`.
 */
export function verifyBundle(zip: Uint8Array, expectedSha256: string | null): Result<VerifiedBundle> {
  const zipSha256 = sha256Hex(zip);
  if (expectedSha256 !== null && zipSha256 !== expectedSha256) {
    return fail({
      code: "BUNDLE_HASH_MISMATCH",
      message: "The bundle is not the one the Run was started with: its hash differs from the record.",
      place: "bundle",
      remedy:
        "Download it again; if the hash stays different, the attachment was replaced: do not resume from it.",
      details: { expected: expectedSha256, found: zipSha256 },
    });
  }
  const entries = readZip(zip);
  if (!entries.ok) return entries;
  const contents = new Map(entries.value.map(({ name, data }) => [name, data]));
  const manifestBytes = contents.get(MANIFEST_PATH);
  if (manifestBytes === undefined) return invalid("it is missing");
  const manifest = parseManifest(manifestBytes);
  if (!manifest.ok) return manifest;
  const matched = matchFiles(manifest.value, contents);
  if (!matched.ok) return matched;
  const bytesOf = (path: string): Uint8Array => contents.get(path) ?? new Uint8Array(0);
  const networkYaml = bytesOf(NETWORK_PATH);
  const jobs = manifest.value.files.filter(isJob).map((job) => ({ ...job, sql: bytesOf(job.path) }));
  return ok({
    networkYaml,
    jobs,
    manifest: manifest.value,
    zipSha256,
    definitionSha256: sha256Hex(networkYaml),
  });
}
