import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { AuditEvidence } from "../../../shared/api/index.ts";

/** The hash of a file and its length; it is read in pieces, never whole. */
export async function hashFile(
  path: string,
  signal?: AbortSignal,
): Promise<{ readonly sha256: string; readonly bytes: number }> {
  const hash = createHash("sha256");
  let bytes = 0;
  await pipeline(
    createReadStream(path),
    async (chunks) => {
      for await (const chunk of chunks) {
        bytes += chunk.length;
        hash.update(chunk);
      }
    },
    signal === undefined ? {} : { signal },
  );
  return { sha256: hash.digest("hex"), bytes };
}

/**
 * Whether the files given as proof are kept on this host and still are what was given (decisions §3): each is hashed
 * anew. Never throws; what another host keeps is `absent` here.
 */
export async function checkEvidence(
  folder: string,
  sha256s: readonly string[],
  signal?: AbortSignal,
): Promise<readonly AuditEvidence[]> {
  const names = await readdir(folder).catch((): readonly string[] => []);
  return Promise.all(sha256s.map((sha256) => checkOne(folder, names, sha256, signal)));
}

async function checkOne(
  folder: string,
  names: readonly string[],
  sha256: string,
  signal?: AbortSignal,
): Promise<AuditEvidence> {
  const kept = names.find((name) => name.startsWith(`${sha256}-`) || name === sha256);
  if (kept === undefined) return { sha256, name: null, bytes: null, state: "absent" };
  const name = kept === sha256 ? null : kept.slice(sha256.length + 1);
  try {
    const found = await hashFile(join(folder, kept), signal);
    return { sha256, name, bytes: found.bytes, state: found.sha256 === sha256 ? "matches" : "differs" };
  } catch {
    return { sha256, name, bytes: null, state: "unreadable" };
  }
}
