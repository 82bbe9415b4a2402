import { createHash } from "node:crypto";
import { closeSync, fsyncSync, openSync, readdirSync, readFileSync, writeSync } from "node:fs";
import { join, relative, sep } from "node:path";
import type { ArtifactHashes } from "./documents/manifest-schema.ts";

export const MANIFEST_FILE = "manifest.json";
export const OBSERVATIONS_FILE = "observations.jsonl";
export const RESULTS_FILE = "results.json";
export const HASHES_FILE = "artifact-hashes.json";

/** The one form in which a document is written; `verify` refuses any other bytes. */
export function documentText(document: unknown): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** Writes a new file and flushes it; an existing one is refused. */
export function writeNew(path: string, text: string): void {
  const file = openSync(path, "wx");
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Every file below a folder, as paths relative to it with `/`, sorted by code units. */
export function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .sort((left, right) => (left < right ? -1 : 1));
}

/** Size and SHA-256 of one file. */
export function digestOf(path: string): { readonly bytes: number; readonly sha256: string } {
  const content = readFileSync(path);
  return { bytes: content.length, sha256: createHash("sha256").update(content).digest("hex") };
}

/** What `artifact-hashes.json` says: every file of the folder except itself (retry-boundaries §8). */
export function hashesOf(folder: string): ArtifactHashes {
  const paths = filesBelow(folder).filter((path) => path !== HASHES_FILE);
  return {
    kind: "RETRY_BOUNDARIES_HASHES",
    formatVersion: 1,
    schema: "retry-boundaries.artifact-hashes.v1",
    files: paths.map((path) => ({ path, ...digestOf(join(folder, path)) })),
  };
}
