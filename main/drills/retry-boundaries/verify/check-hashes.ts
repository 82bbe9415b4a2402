import { join } from "node:path";
import type { ArtifactHashes } from "../documents/manifest-schema.ts";
import { digestOf, filesBelow, HASHES_FILE } from "../files.ts";
import type { Findings } from "./findings.ts";

/** Recomputes every hash; names missing, changed and additional files (retry-boundaries §8). */
export function checkHashes(folder: string, hashes: ArtifactHashes, findings: Findings): void {
  const present = filesBelow(folder).filter((path) => path !== HASHES_FILE);
  const listed = new Map(hashes.files.map((file) => [file.path, file]));
  if (listed.size !== hashes.files.length) findings.differs(HASHES_FILE, "lists a file twice");
  for (const path of present) {
    const expected = listed.get(path);
    if (expected === undefined) {
      findings.differs(path, "is not among the files of the run");
      continue;
    }
    const digest = digestOrNull(join(folder, path));
    if (digest === null) {
      findings.differs(path, "cannot be read");
      continue;
    }
    const { bytes, sha256 } = digest;
    if (bytes !== expected.bytes) findings.differs(path, `has ${bytes} bytes instead of ${expected.bytes}`);
    else if (sha256 !== expected.sha256) findings.differs(path, "was changed after the run: SHA-256 differs");
  }
  for (const path of listed.keys()) if (!present.includes(path)) findings.differs(path, "is missing");
  findings.checked(`SHA-256 and size of ${present.length} files`);
}

/** A link to nowhere or a file without a right to read it has no digest; that is a finding, not a crash. */
function digestOrNull(path: string): ReturnType<typeof digestOf> | null {
  try {
    return digestOf(path);
  } catch {
    return null;
  }
}
