import { knownApps } from "../config.ts";
import { createWorkspace, type Workspace } from "../evaluation/workspace.ts";
import type { SourceField } from "../sources/form.ts";
import { asOfValues } from "../values/as-of.ts";
import { createComparison } from "../values/compare.ts";
import { hostZone } from "../values/zone.ts";
import type { ChunkDone } from "../writing/send-chunk.ts";
import type { Context } from "./context.ts";
import { createStatementRunner, type StatementRunner } from "./statements.ts";

/** What the statements of one run work in; disposed by whoever opened it. */
export interface OpenStatements {
  readonly runner: StatementRunner;
  readonly workspace: Workspace;
}

/** Opens the statements over the run's calls, files and time (execution-contract §4.2, step 14). */
export function openStatements(
  context: Context,
  forms: ReadonlyMap<number, readonly SourceField[]>,
  onChunk: (done: ChunkDone) => void,
): OpenStatements {
  const { input, deps, calls, progress, imports } = context;
  const { profile, exports } = input;
  const timeZone = profile.timezone ?? hostZone();
  const { maxAttempts, initialDelayMs, maxDelayMs } = profile.retry;
  const workspace = createWorkspace(createComparison(timeZone));
  const runner = createStatementRunner({
    calls,
    check: deps.stop.check,
    onRows: progress.addRows,
    apps: knownApps(profile),
    forms,
    timeZone,
    workspace,
    asOf: asOfValues(input.asOfMs, timeZone),
    maxReadRows: profile.limits.maxReadRows,
    maxTempRows: profile.limits.maxTempRows,
    keepSelected: exports?.files.some(({ named }) => !named) === true,
    maxAttempts,
    pause: (attempt) => deps.stop.sleep(Math.min(initialDelayMs * 2 ** (attempt - 2), maxDelayMs)),
    onChunk,
    imports,
  });
  return { runner, workspace };
}
