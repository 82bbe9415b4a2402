import { createHash } from "node:crypto";
import { type BigIntStats, constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import path from "node:path";
import { fail, ok, type Problem, type Result } from "../../../shared/domain/problem.ts";
import { type IoPath, nameFault } from "./io-paths.ts";
import type { IoRoot } from "./io-root.ts";
import { look, staysBelow, systemReason } from "./look.ts";

/** An input file as it was read before the start. */
export interface InputFile {
  readonly name: string;
  readonly path: string;
  /** 64 lower-case hex digits. */
  readonly sha256: string;
  readonly bytes: number;
}

const CHUNK_BYTES = 256 * 1024;

/**
 * Finds and hashes the inputs of a node, in the order given, one at a time (orchestration section 8.2). Messages
 * name the path below the IO root only: they are stored. Errors: `INPUT_FILE_MISSING`, `INPUT_PATH_REJECTED`, and
 * `INPUT_FILE_MUTATED` for a file that is still being written.
 */
export async function readInputs(
  root: IoRoot,
  inputs: readonly IoPath[],
): Promise<Result<readonly InputFile[]>> {
  const files: InputFile[] = [];
  for (const input of inputs) {
    const file = await readInput(root, input);
    if (!file.ok) return file;
    files.push(file.value);
  }
  return ok(files);
}

async function readInput(root: IoRoot, input: IoPath): Promise<Result<InputFile>> {
  const found = await findFile(root, input);
  if (!found.ok) return found;
  let handle: FileHandle | null = null;
  try {
    // Windows knows neither flag. Without waiting: a pipe put in the file's place must not hold the scheduler.
    handle = await open(
      input.path,
      constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0),
    );
    const opened = await handle.stat({ bigint: true });
    if (!isSame(found.value, opened)) return fail(rejected(input, "was exchanged while it was looked at"));
    if (!(await staysBelow(root, "in", input.path)))
      return fail(rejected(input, "lies outside of the input folder"));
    return await hashed(handle, opened, input);
  } catch (error) {
    const reason = systemReason(error);
    return fail(reason === "ENOENT" ? missing(input) : rejected(input, `cannot be read (${reason})`));
  } finally {
    await handle?.close();
  }
}

/** Every component is looked at, from the root's `in` to the file. */
async function findFile(root: IoRoot, input: IoPath): Promise<Result<BigIntStats>> {
  const odd = input.segments.map((segment) => nameFault(segment)).find((fault) => fault !== null);
  if (odd !== undefined) return fail(rejected(input, `has a name that cannot be used: ${odd}`));
  const { segments } = input;
  for (let depth = 1; depth <= segments.length; depth += 1) {
    const seen = await look(path.join(root.dir, ...segments.slice(0, depth)));
    const part = segments.slice(0, depth).join("/");
    if (seen.kind === "missing") return fail(missing(input));
    if (seen.kind === "refused") return fail(rejected(input, `cannot be reached: ${part} ${seen.why}`));
    const last = depth === segments.length;
    if (last && seen.kind === "file") return ok(seen.stats);
    if (last) return fail(rejected(input, "is a folder"));
    if (seen.kind !== "folder") return fail(rejected(input, `cannot be reached: ${part} is no folder`));
  }
  return fail(missing(input));
}

/** The volume's number is not the same in both answers on every Windows; the file's is. */
const isSame = (before: BigIntStats, opened: BigIntStats): boolean =>
  opened.isFile() && before.ino === opened.ino && (process.platform === "win32" || before.dev === opened.dev);

/** Never reads more than the file was long when it was opened, so a file that grows for ever ends too. */
async function hashed(handle: FileHandle, opened: BigIntStats, input: IoPath): Promise<Result<InputFile>> {
  const hash = createHash("sha256");
  const chunk = Buffer.alloc(CHUNK_BYTES);
  const size = Number(opened.size);
  let bytes = 0;
  for (;;) {
    const { bytesRead } = await handle.read(chunk, 0, CHUNK_BYTES, null);
    if (bytesRead === 0) break;
    bytes += bytesRead;
    if (bytes > size) return fail(changing(input));
    hash.update(chunk.subarray(0, bytesRead));
  }
  const after = await handle.stat({ bigint: true });
  if (bytes !== size || after.size !== opened.size || after.mtimeNs !== opened.mtimeNs)
    return fail(changing(input));
  return ok({ name: input.name, path: input.path, sha256: hash.digest("hex"), bytes });
}

const about = ({ name, relative }: IoPath): string => `The input ${name} (${relative})`;

const missing = (input: IoPath): Problem => ({
  code: "INPUT_FILE_MISSING",
  message: `${about(input)} is not there. The job was not started.`,
  place: `input ${input.name}`,
  remedy: "Put the file into its place, then resume the Run.",
  details: { path: input.path },
});

const rejected = (input: IoPath, why: string): Problem => ({
  code: "INPUT_PATH_REJECTED",
  message: `${about(input)} ${why}. The job was not started.`,
  place: `input ${input.name}`,
  remedy:
    "Put a regular file into real folders below the input folder; links and junctions are not followed.",
  details: { path: input.path },
});

const changing = (input: IoPath): Problem => ({
  code: "INPUT_FILE_MUTATED",
  message: `${about(input)} was changed while it was read. The job was not started.`,
  place: `input ${input.name}`,
  remedy: "Wait until the file is complete, then resume the Run. Write it beside its place and rename it.",
  details: { path: input.path },
});
