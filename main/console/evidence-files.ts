import { createHash, randomUUID } from "node:crypto";
import { mkdir, open, readdir, readFile, rename, rm, stat } from "node:fs/promises";
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
 * once and a changed one is another. Codes `EVIDENCE_FILE_UNREADABLE`, `EVIDENCE_FILE_TOO_LARGE`, `EVIDENCE_NOT_KEPT`.
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
 * The same of bytes that came in another way; on the disk before it is said. Codes `EVIDENCE_FILE_TOO_LARGE`,
 * `EVIDENCE_NOT_KEPT`.
 */
export async function keepEvidenceBytes(
  folder: string,
  name: string,
  bytes: Uint8Array,
): Promise<Result<KeptEvidence>> {
  if (bytes.byteLength > MAX_BYTES) return fail(tooLarge(bytes.byteLength, name));
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  const kept = { name, sha256, bytes: bytes.byteLength };
  // One of its own: the same file may be given twice at the same moment.
  const temporary = join(folder, `${sha256}.${randomUUID()}.part`);
  const path = join(folder, `${sha256}-${keptName(name)}`);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    if (await holds(path, bytes)) return ok(kept);
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

/** Whether a file is there and still is what was given: one that was changed since is written anew. */
async function holds(path: string, bytes: Uint8Array): Promise<boolean> {
  const found = await stat(path).catch(() => null);
  if (found?.size !== bytes.byteLength) return false;
  return Buffer.compare(await readFile(path), bytes) === 0;
}

/** A kept file by its hash; null when none is kept under it. */
export async function findEvidence(folder: string, sha256: string): Promise<KeptEvidence | null> {
  if (!HASH.test(sha256)) return null;
  const names = await readdir(folder).catch(() => []);
  const found = names.find((each) => each.startsWith(`${sha256}-`));
  if (found === undefined) return null;
  const size = (await stat(join(folder, found)).catch(() => null))?.size;
  // A link that leads nowhere is no proof.
  return size === undefined ? null : { name: found.slice(sha256.length + 1), sha256, bytes: size };
}

/** A name as any file system takes it: without what separates folders, without what Windows refuses, and cut. */
export function keptName(name: string): string {
  const plain = basename(name.replaceAll("\\", "/")).replace(REFUSED, "_");
  let cut = plain.replace(/[. ]+$/, "");
  while (Buffer.byteLength(cut) > NAME_BYTES) cut = [...cut].slice(0, -1).join("");
  return cut === "" ? "file" : cut;
}

const tooLarge = (size: number, place: string): Problem => ({
  code: "EVIDENCE_FILE_TOO_LARGE",
  message: `The evidence has ${size} bytes; at most ${MAX_BYTES} are kept.`,
  place,
  remedy: "Give the part that proves the stop.",
});
