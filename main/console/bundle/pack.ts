import {
  EVIDENCE_MANIFEST_PATH,
  type EvidenceManifest,
  evidenceManifest,
  writeZip,
} from "../../../shared/bundle/index.ts";
import { sha256Hex, utf8 } from "../../../shared/domain/hash.ts";
import { fail, ok, type Result } from "../../../shared/domain/problem.ts";
import type { Collection } from "./collect.ts";

/**
 * Collected files as one zip with its manifest. What holds a known secret although it was cleaned is not written at all
 * (electron-desktop S4): `BUNDLE_HOLDS_SECRET` names the file, never the secret.
 */
export function packBundle(
  collection: Collection,
  head: Omit<EvidenceManifest, "files" | "gaps">,
  leaks: (text: string) => boolean,
): Result<{ readonly bytes: Uint8Array; readonly manifest: EvidenceManifest }> {
  const entries = collection.files.map(({ path, text }) => ({ name: path, data: utf8(text) }));
  const manifest = evidenceManifest.parse({
    ...head,
    files: entries.map(({ name, data }) => ({ path: name, bytes: data.length, sha256: sha256Hex(data) })),
    gaps: [...collection.gaps],
  });
  const manifestText = `${JSON.stringify(manifest, null, 2)}\n`;
  const held = [...collection.files, { path: EVIDENCE_MANIFEST_PATH, text: manifestText }].find(({ text }) =>
    leaks(text),
  );
  if (held !== undefined) {
    return fail({
      code: "BUNDLE_HOLDS_SECRET",
      message: "A file of the bundle still held a secret after it was cleaned; nothing was written.",
      place: held.path,
      remedy: "Save it without that file by hand, and report this: it must not happen.",
    });
  }
  const zip = writeZip([...entries, { name: EVIDENCE_MANIFEST_PATH, data: utf8(manifestText) }]);
  return zip.ok ? ok({ bytes: zip.value, manifest }) : zip;
}
