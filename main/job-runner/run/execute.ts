import type { WriteRequest } from "../../kintone-client/index.ts";
import { knownApps } from "../config.ts";
import { serializeExports } from "../files/serialize-exports.ts";
import { resolveApp } from "../plan/apps.ts";
import type { SourceField } from "../sources/form.ts";
import type { ChunkDone } from "../writing/send-chunk.ts";
import type { Context } from "./context.ts";
import type { Verdict } from "./failure.ts";
import type { Job } from "./load-job.ts";
import { type OpenStatements, openStatements } from "./open-statements.ts";
import { commitExports } from "./result-outputs.ts";
import { runStatements } from "./run-statements.ts";
import type { StatementRunner } from "./statements.ts";

/**
 * Steps 14 to 17: the statements under the run's time limit, then the files. `mark` makes the start durable
 * before the first statement (execution-contract §6.4).
 */
export async function execute(
  context: Context,
  job: Job,
  forms: ReadonlyMap<number, readonly SourceField[]>,
  mark: (startedMs: number) => Promise<void>,
): Promise<Verdict> {
  const { input, deps, progress } = context;
  const { profile } = input;
  deps.stop.check();
  const startedMs = Math.floor(deps.nowMs() / 1000) * 1000;
  await mark(startedMs);
  progress.start(startedMs);
  const limit = job.script.header.timeoutSec ?? Number.POSITIVE_INFINITY;
  deps.stop.startDeadline(Math.min(limit, profile.limits.batchTimeoutSec) * 1000);
  const journal = chunkJournal(context, job);
  const statements = openStatements(context, forms, journal.note);
  const { runner } = statements;
  const followed: StatementRunner = {
    ...runner,
    run(statement) {
      journal.enter(statement.index);
      return runner.run(statement);
    },
  };
  try {
    const verdict = await runStatements(job, followed, {
      check: deps.stop.check,
      progress,
      events: deps.events,
      stripLiterals: profile.logging.stripLiterals,
    });
    if (verdict.resultCode === "OK" || verdict.resultCode === "NO_DATA") {
      exportFiles(context, statements, verdict.resultCode === "NO_DATA");
    }
    return verdict;
  } finally {
    statements.workspace.dispose();
  }
}

/** All files are serialized before the first is touched (execution-contract §4.4). */
function exportFiles(
  { input, outputs }: Context,
  { runner, workspace }: OpenStatements,
  skipMissing: boolean,
): void {
  if (input.exports === null) return;
  const { files, encoding, timeZone } = input.exports;
  const contents = serializeExports(
    files,
    ({ name, named }) => (named ? runner.tableNamed(name) : runner.selected()),
    workspace,
    { encoding, timeZone, skipMissing },
  );
  outputs.push(...commitExports(contents));
}

const OPERATIONS: Readonly<Record<WriteRequest["kind"], string>> = {
  addRecord: "INSERT",
  addRecords: "INSERT",
  updateRecord: "UPDATE",
  updateRecords: "UPDATE",
  deleteRecords: "DELETE",
};

interface ChunkJournal {
  /** The statement whose chunks follow. */
  enter(statementIndex: number): void;
  note(done: ChunkDone): void;
}

/** One `write_chunk` line each (execution-contract §10): where a person continues by hand after a failure. */
function chunkJournal({ input, deps, progress }: Context, job: Job): ChunkJournal {
  const hidden = hiddenKeys(job, input);
  let statementIndex = 0;
  let statementChunk = 0;
  const note = ({ chunk }: ChunkDone): void => {
    const { request, records } = chunk;
    statementChunk += 1;
    const upsert = request.kind === "updateRecords" && request.upsert;
    const lastKey = chunk.lastKey !== null && hidden.has(request.app) ? "***" : chunk.lastKey;
    progress.addChunk({ records, deleted: request.kind === "deleteRecords", lastKey });
    deps.events.write("write_chunk", {
      job: job.name,
      statementIndex,
      app: request.app,
      operation: upsert ? "UPSERT" : OPERATIONS[request.kind],
      records,
      chunk: progress.written().lastSuccessfulChunkNo,
      statementChunk,
      lastKeyValue: lastKey,
    });
  };
  return {
    note,
    enter(index) {
      statementIndex = index;
      statementChunk = 0;
    },
  };
}

/** Apps written by a key that `logging.maskFields` names (execution-contract §11). */
function hiddenKeys({ script }: Job, { profile }: Context["input"]): ReadonlySet<number> {
  const { maskFields } = profile.logging;
  const apps = knownApps(profile);
  const hidden = script.statements.flatMap(({ body }) => {
    const keyed = body.kind === "insert" || body.kind === "upsert" || body.kind === "import";
    const named = keyed && body.key.some(({ name }) => maskFields.includes(name));
    return named ? [resolveApp(body.target, apps).appId] : [];
  });
  return new Set(hidden);
}
