import { mkdir } from "node:fs/promises";
import path from "node:path";
import { fail, ok, type Problem, type Result } from "../../../shared/domain/problem.ts";
import { type IoPath, nameFault } from "./io-paths.ts";
import type { IoRoot } from "./io-root.ts";
import { look, type Seen, staysBelow, systemReason } from "./look.ts";

/** Where the runner puts one output. */
export interface OutputTarget {
  readonly name: string;
  readonly path: string;
}

/**
 * Makes the folders of a node's outputs and looks at the targets (orchestration section 8.3). A file that stands
 * there is left alone: the runner replaces it as a whole. Error: `OUTPUT_PATH_REJECTED`.
 */
export async function prepareOutputs(
  root: IoRoot,
  outputs: readonly IoPath[],
): Promise<Result<readonly OutputTarget[]>> {
  const twice = outputs.find((output, at) => outputs.slice(0, at).some((other) => samePlace(other, output)));
  if (twice !== undefined) return fail(rejected(twice, "has the place of another output of this node"));
  for (const output of outputs) {
    const fault = await targetFault(root, output);
    if (fault !== null) return fail(rejected(output, fault));
  }
  return ok(outputs.map(({ name, path: target }) => ({ name, path: target })));
}

/** Case does not tell files apart on Windows, nor on most disks of a Mac. */
function samePlace(a: IoPath, b: IoPath): boolean {
  if (process.platform === "linux") return a.path === b.path;
  return a.path.toLowerCase() === b.path.toLowerCase();
}

async function targetFault(root: IoRoot, output: IoPath): Promise<string | null> {
  const odd = output.segments.map((segment) => nameFault(segment)).find((fault) => fault !== null);
  if (odd !== undefined) return `has a name that cannot be used: ${odd}`;
  const folders = output.segments.slice(0, -1);
  for (let depth = 1; depth <= folders.length; depth += 1) {
    const seen = await folderAt(path.join(root.dir, ...folders.slice(0, depth)));
    const part = folders.slice(0, depth).join("/");
    if (seen.kind === "refused") return `cannot be reached: ${part} ${seen.why}`;
    if (seen.kind !== "folder") return `cannot be reached: ${part} is no folder`;
  }
  try {
    if (!(await staysBelow(root, "out", path.dirname(output.path))))
      return "lies outside of the output folder";
  } catch (error) {
    return `cannot be reached (${systemReason(error)})`;
  }
  const target = await look(output.path);
  if (target.kind === "refused") return `cannot be written: its place ${target.why}`;
  return target.kind === "folder" ? "cannot be written: its place is a folder" : null;
}

/** One level at a time and never through what is not a folder itself; somebody else may make the same one. */
async function folderAt(place: string): Promise<Seen> {
  const seen = await look(place);
  if (seen.kind !== "missing") return seen;
  try {
    await mkdir(place);
  } catch (error) {
    const reason = systemReason(error);
    if (reason !== "EEXIST") return { kind: "refused", why: `cannot be made (${reason})` };
  }
  return look(place);
}

const rejected = (output: IoPath, why: string): Problem => ({
  code: "OUTPUT_PATH_REJECTED",
  message: `The output ${output.name} (${output.relative}) ${why}. The job was not started.`,
  place: `output ${output.name}`,
  remedy: "Clear the place, or correct the pattern; links and junctions are not followed.",
  details: { path: output.path },
});
