import { createHash } from "node:crypto";
import { copyFile, mkdir, readFile, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { errorText, fail, ok, type Result } from "../../shared/domain/problem.ts";

/** A file somebody gave as proof, kept under its hash. */
export interface KeptEvidence {
  /** Its own name; never its path. */
  readonly name: string;
  readonly sha256: string;
  readonly bytes: number;
}

const MAX_BYTES = 64 * 1024 * 1024;

/**
 * Keeps a copy of a file as evidence in `folder` (decisions §2, §3): named by its SHA-256, so that the same file is kept
 * once and a changed one is another. Codes `EVIDENCE_FILE_UNREADABLE`, `EVIDENCE_FILE_TOO_LARGE`.
 */
export async function keepEvidence(folder: string, path: string): Promise<Result<KeptEvidence>> {
  try {
    const { size } = await stat(path);
    if (size > MAX_BYTES) {
      return fail({
        code: "EVIDENCE_FILE_TOO_LARGE",
        message: `The evidence has ${size} bytes; at most ${MAX_BYTES} are kept.`,
        place: path,
        remedy: "Give the part that proves the stop.",
      });
    }
    const sha256 = createHash("sha256")
      .update(await readFile(path))
      .digest("hex");
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await copyFile(path, join(folder, `${sha256}-${basename(path)}`));
    return ok({ name: basename(path), sha256, bytes: size });
  } catch (error) {
    return fail({
      code: "EVIDENCE_FILE_UNREADABLE",
      message: `The evidence could not be kept: ${errorText(error)}`,
      place: path,
      remedy: "Check the path and that this account may read it; nothing was released.",
    });
  }
}
