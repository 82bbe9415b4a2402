import { randomBytes } from "node:crypto";
import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { codeOf } from "../config.ts";

/**
 * Writes the result next to its target and renames it into place (execution-contract §5.5): the reader sees
 * the whole file or none. A target that exists is left alone. Gives null, or why nothing was written.
 */
export function writeResultFile(target: string, text: string): string | null {
  const suffix = `${process.pid}-${randomBytes(6).toString("hex")}`;
  const temporary = join(dirname(target), `.${basename(target)}.tmp-${suffix}`);
  let created = false;
  try {
    if (existsSync(target)) return `the result file ${target} exists already and was left as it is`;
    const handle = openSync(temporary, "wx", 0o600);
    created = true;
    try {
      writeFileSync(handle, text);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    if (existsSync(target)) return `the result file ${target} appeared meanwhile and was left as it is`;
    renameSync(temporary, target);
    created = false;
    return null;
  } catch (error) {
    return `the result file ${target} cannot be written: ${codeOf(error)}`;
  } finally {
    if (created) rmSync(temporary, { force: true });
  }
}
