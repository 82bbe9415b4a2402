import { mkdirSync } from "node:fs";
import { FlowError } from "../../../../shared/domain/problem.ts";

/**
 * Creates the output folder: one mkdir, not recursive, so that of two simultaneous starts one wins
 * (retry-boundaries §2). Throws a FlowError `OUTPUT_EXISTS` for anything that is already there, also a file or
 * a link, and `OUTPUT_PARENT_MISSING` when there is no folder to put it in.
 */
export function createOutputFolder(output: string): void {
  try {
    mkdirSync(output);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : null;
    if (code === "EEXIST") throw exists(output);
    if (code === "ENOENT" || code === "ENOTDIR") throw parentMissing(output);
    throw error;
  }
}

function exists(output: string): FlowError {
  return new FlowError({
    code: "OUTPUT_EXISTS",
    message: "The output folder exists. Nothing in it was read, written or removed.",
    place: `argument --output ${output}`,
    remedy: "Name a folder that does not exist. A finished or stopped run is evidence and stays as it is.",
  });
}

function parentMissing(output: string): FlowError {
  return new FlowError({
    code: "OUTPUT_PARENT_MISSING",
    message: "The folder that shall hold the output folder does not exist.",
    place: `argument --output ${output}`,
    remedy: "Create it, or name a folder inside an existing one.",
  });
}
