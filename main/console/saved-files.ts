import { createHash } from "node:crypto";
import { SAVED_PART_BYTES, type SavedFile } from "../../shared/api/index.ts";
import { fail, ok, type Result } from "../../shared/domain/problem.ts";

/** Files kept at once and how long, milliseconds: long enough to be fetched, short enough to be no store. */
const KEPT = 4;
const KEPT_MS = 10 * 60_000;

export interface SavedFiles {
  /** Keeps a file for whoever asked for it. */
  keep(file: { readonly name: string; readonly type: string; readonly bytes: Uint8Array }): SavedFile;
  /** One part, counted from 0. Code `FILE_GONE`. */
  part(fileId: string, index: number): Result<{ readonly base64: string }>;
  done(fileId: string): void;
}

/** Files made for the operator to save, in memory until they are fetched: nothing of them lies in the data folder. */
export function createSavedFiles(deps: {
  readonly uuid: () => string;
  readonly nowMs: () => number;
}): SavedFiles {
  const kept = new Map<string, { readonly bytes: Uint8Array; readonly atMs: number }>();
  const forget = (): void => {
    for (const [id, { atMs }] of kept) {
      if (kept.size < KEPT && deps.nowMs() - atMs <= KEPT_MS) return;
      kept.delete(id);
    }
  };
  return {
    keep({ name, type, bytes }) {
      forget();
      const fileId = deps.uuid();
      kept.set(fileId, { bytes, atMs: deps.nowMs() });
      return {
        fileId,
        name,
        type,
        bytes: bytes.length,
        sha256: createHash("sha256").update(bytes).digest("hex"),
        parts: Math.ceil(bytes.length / SAVED_PART_BYTES),
      };
    },
    part(fileId, index) {
      const bytes = kept.get(fileId)?.bytes;
      if (bytes === undefined || index * SAVED_PART_BYTES >= bytes.length) {
        return fail({
          code: "FILE_GONE",
          message: "The file that was made is not kept any more.",
          remedy: "Have it made again.",
        });
      }
      const part = bytes.subarray(index * SAVED_PART_BYTES, (index + 1) * SAVED_PART_BYTES);
      return ok({ base64: Buffer.from(part).toString("base64") });
    },
    done: (fileId) => void kept.delete(fileId),
  };
}
