import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { errorText, FlowError, type Problem } from "../../../shared/domain/problem.ts";
import type { Workspace } from "../../console/index.ts";
import type { ParsedArguments } from "../arguments.ts";
import { warnOfClock } from "../clock-warning.ts";
import type { CliContext } from "../command.ts";

/** Opens the workspace of this call for one operation of a person, and closes it whatever becomes of it. */
export async function withWorkspace<T>(
  context: CliContext,
  work: (workspace: Workspace) => Promise<T>,
): Promise<T> {
  const { openWorkspace } = await import("../../console/index.ts");
  const workspace = await openWorkspace({
    dataDir: await context.dataDir(),
    env: context.env,
    signal: context.signal,
  });
  try {
    return await work(workspace);
  } finally {
    warnOfClock(workspace, context);
    await workspace.dispose();
  }
}

/** The text of a reason file (orchestration section 9.1). Throws `REASON_FILE_UNREADABLE`. */
export async function readReason({ values }: ParsedArguments, { cwd }: CliContext): Promise<string> {
  const path = resolve(cwd, values["--reason-file"] ?? "");
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(await readFile(path));
    return text.replace(/^\uFEFF/, "").trim();
  } catch (error) {
    throw new FlowError({
      code: "REASON_FILE_UNREADABLE",
      message: `The reason cannot be read: ${errorText(error)}`,
      place: path,
      remedy: "Write the reason into a UTF-8 text file and name it.",
    });
  }
}

/** The value of a required option; the parser has refused its absence. */
export const given = ({ values }: ParsedArguments, name: string): string => values[name] ?? "";

/** Ends a command with its refusal. */
export function refuse(problem: Problem): never {
  throw new FlowError(problem);
}
