import { resolve } from "node:path";
import { buildRunArguments } from "../../shared/contract/index.ts";
import { ok, type Problem, type Result } from "../../shared/domain/problem.ts";
import { problemOf } from "./failure.ts";
import type { AttemptJournal } from "./journal/journal.ts";
import type { AttemptInput, PreparedAttempt, RunnerConfig } from "./ports.ts";
import { makeWorkFolder, removeWorkFolder, workFolderOf } from "./work-folder.ts";

/**
 * Everything of an attempt that can fail without a child (fenced-writes R5): arguments, folder, the journal's
 * intent. After it nothing but the spawn is left. Errors: `RUN_ARGUMENT_INVALID`, `WORK_FOLDER_UNAVAILABLE`,
 * `JOURNAL_WRITE_FAILED`.
 */
export async function prepareAttempt(
  input: AttemptInput,
  config: RunnerConfig,
  journal: AttemptJournal,
): Promise<Result<PreparedAttempt, Problem>> {
  const folder = workFolderOf(config.workDir, input.attemptId);
  const args = buildRunArguments({
    sqlPath: input.sqlPath,
    profile: config.profile,
    // The child works in a folder of its own, so a relative path would lead elsewhere.
    configPath: resolve(config.configPath),
    asOf: input.asOf,
    resultPath: folder.resultPath,
    correlationId: input.runId,
    attemptId: input.attemptId,
    expectedJobId: input.jobId,
    imports: input.imports ?? [],
    exports: input.exports ?? [],
  });
  if (!args.ok) return args;
  const made = await makeWorkFolder(folder);
  if (!made.ok) return made;
  const { attemptId, runId, nodeId, jobId, attemptNo } = input;
  try {
    await journal.append({ event: "intent", attemptId, runId, nodeId, jobId, attemptNo });
  } catch (error) {
    await removeWorkFolder(folder).catch(() => undefined);
    return { ok: false, error: problemOf(error, "JOURNAL_WRITE_FAILED") };
  }
  return ok({ input, resultPath: folder.resultPath, args: args.value });
}
