import { createHash, randomUUID } from "node:crypto";
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { codeOf } from "../config.ts";
import { RunFailure } from "./failure.ts";

/** One file a run is to write (execution-contract §4.4). */
export interface ExportRequest {
  /** The temp table without its `#`, or `select` for the one SELECT of a script. */
  readonly name: string;
  readonly named: boolean;
  /** Absolute. */
  readonly target: string;
}

/** One serialized export, still in memory. */
export interface ExportContent {
  readonly name: string;
  readonly target: string;
  readonly bytes: Uint8Array;
  /** Records below the header. */
  readonly rows: number;
  readonly encoding: "utf8" | "sjis";
}

/** One entry of the result's `output_files` (execution-contract §5.1). */
export interface OutputReceipt {
  readonly name: string;
  readonly sha256: string;
  readonly bytes: number;
  readonly rows: number;
  readonly encoding: "utf8" | "sjis";
}

function writeWhole(handle: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.byteLength; ) at += writeSync(handle, bytes, at);
}

function commit({ target, bytes }: ExportContent): void {
  const temporary = join(dirname(target), `.${basename(target)}.${process.pid}.${randomUUID()}.tmp`);
  let kept = false;
  try {
    const handle = openSync(temporary, "wx", 0o600);
    kept = true;
    try {
      writeWhole(handle, bytes);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    renameSync(temporary, target);
    kept = false;
  } finally {
    if (kept) rmSync(temporary, { force: true });
  }
}

/**
 * Puts every serialized export in its place, one whole file after the other (execution-contract §4.4). Throws
 * RunFailure `INTERNAL_ERROR`; files that stand already stay, for several files are not one transaction.
 */
export function commitExports(contents: readonly ExportContent[]): readonly OutputReceipt[] {
  return contents.map((content) => {
    try {
      commit(content);
    } catch (error) {
      const message = `CSV output file commit failed (${codeOf(error)})`;
      throw new RunFailure("INTERNAL_ERROR", "INTERNAL_ERROR", message);
    }
    const { name, bytes, rows, encoding } = content;
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    return { name, sha256, bytes: bytes.byteLength, rows, encoding };
  });
}
