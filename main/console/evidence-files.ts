import { createHash, randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { lstat, mkdir, open, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { errorText, fail, ok, type Problem, type Result } from "../../shared/domain/problem.ts";

/** A file somebody gave as proof, kept under its hash. */
export interface KeptEvidence {
  /** Its own name; never its path. */
  readonly name: string;
  readonly sha256: string;
  readonly bytes: number;
}

const MAX_BYTES = 64 * 1024 * 1024;
const HASH = /^[0-9a-f]{64}$/;
/** What Windows refuses in a name, and what would turn its letters round on a screen. */
const REFUSED = /[\p{Cc}<>:"|?*\u202a-\u202e\u2066-\u2069]/gu;
/** Bytes of a name a file system takes beside the hash and its hyphen. */
const NAME_BYTES = 180;

/**
 * Keeps a copy of a file as evidence in `folder` (decisions §2, §3): named by its SHA-256, so that the same file is kept
 * once and a changed one is another. Codes `EVIDENCE_FILE_UNREADABLE`, `EVIDENCE_FILE_TOO_LARGE`,
 * `EVIDENCE_FILE_EMPTY`, `EVIDENCE_NOT_KEPT`.
 */
export async function keepEvidence(folder: string, path: string): Promise<Result<KeptEvidence>> {
  let bytes: Uint8Array;
  try {
    const { size } = await stat(path);
    if (size > MAX_BYTES) return fail(tooLarge(size, path));
    bytes = await readFile(path);
  } catch (error) {
    return fail({
      code: "EVIDENCE_FILE_UNREADABLE",
      message: `The evidence could not be kept: ${errorText(error)}`,
      place: path,
      remedy: "Check the path and that this account may read it; nothing was released.",
    });
  }
  return keepEvidenceBytes(folder, basename(path), bytes);
}

/**
 * The same of bytes that came in another way; on the disk before it is said. Written also where they are kept already:
 * the newest file tells the name they were given by last. Codes `EVIDENCE_FILE_TOO_LARGE`, `EVIDENCE_FILE_EMPTY`,
 * `EVIDENCE_NOT_KEPT`.
 */
export async function keepEvidenceBytes(
  folder: string,
  name: string,
  bytes: Uint8Array,
): Promise<Result<KeptEvidence>> {
  if (bytes.byteLength > MAX_BYTES) return fail(tooLarge(bytes.byteLength, name));
  if (bytes.byteLength === 0) return fail(empty(name));
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  const kept = { name, sha256, bytes: bytes.byteLength };
  // One of its own: the same file may be given twice at the same moment.
  const temporary = join(folder, `${sha256}.${randomUUID()}.part`);
  const path = join(folder, `${sha256}-${keptName(name)}`);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const file = await open(temporary, "w", 0o600);
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
    return ok(kept);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    return fail({
      code: "EVIDENCE_NOT_KEPT",
      message: `The evidence could not be kept: ${errorText(error)}`,
      place: name,
      remedy: "Free space on the disk and check the rights of the data folder; nothing was done.",
    });
  }
}

/**
 * A kept file by its hash, under the name it was given by last; null when none is kept that still is what was given:
 * it is hashed again, for others can write where it lies.
 */
export async function findEvidence(folder: string, sha256: string): Promise<KeptEvidence | null> {
  if (!HASH.test(sha256)) return null;
  const names = (await readdir(folder).catch(() => [])).filter((each) => each.startsWith(`${sha256}-`));
  const looked = await Promise.all(
    names.map(async (each) => ({ each, found: await lstat(join(folder, each)).catch(() => null) })),
  );
  // A link is none: what it leads to may be another file tomorrow.
  const files = looked.flatMap(({ each, found }) => (found?.isFile() === true ? [{ each, found }] : []));
  for (const { each, found } of files.sort((left, right) => right.found.mtimeMs - left.found.mtimeMs)) {
    const hash = await hashOf(join(folder, each));
    if (hash === sha256) return { name: each.slice(sha256.length + 1), sha256, bytes: found.size };
  }
  return null;
}

/** SHA-256 of a file in hex; null when it cannot be read. */
async function hashOf(path: string): Promise<string | null> {
  const hash = createHash("sha256");
  try {
    for await (const part of createReadStream(path)) hash.update(part);
  } catch {
    return null;
  }
  return hash.digest("hex");
}

/** A name as any file system takes it: without what separates folders, without what Windows refuses, and cut. */
export function keptName(name: string): string {
  const plain = basename(name.replaceAll("\\", "/")).replace(REFUSED, "_");
  let cut = plain.replace(/[. ]+$/, "");
  while (Buffer.byteLength(cut) > NAME_BYTES) cut = [...cut].slice(0, -1).join("");
  return cut === "" ? "file" : cut;
}

const empty = (place: string): Problem => ({
  code: "EVIDENCE_FILE_EMPTY",
  message: "The evidence has no content; it was not kept.",
  place,
  remedy: "Give the file that proves the stop.",
});
const tooLarge = (size: number, place: string): Problem => ({
  code: "EVIDENCE_FILE_TOO_LARGE",
  message: `The evidence has ${size} bytes; at most ${MAX_BYTES} are kept.`,
  place,
  remedy: "Give the part that proves the stop.",
});
