import { writeSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import { RUNNER_EXIT } from "../../shared/contract/exit-codes.ts";
import { listenForCancel, listenForSignals } from "./cli/control.ts";
import { main } from "./cli/main.ts";
import { createStopControl } from "./run/stop.ts";

/** The built-in kSQL-Flow-compatible runner: its own process, told everything on its command line. */
export { main as runJobRunner } from "./cli/main.ts";
export type { ProcessEdge } from "./cli/run-command.ts";
export {
  type ExplainRequest,
  explainFile,
  explanationText,
  type JobExplanation,
  jobExplanationSchema,
} from "./explain/index.ts";
export { type JobReader, type JobReaderInput, openJobReader } from "./look/reader.ts";
export { type JobTarget, WRITE_OPERATIONS, type WriteOperation } from "./look/targets.ts";

/**
 * Pages of records live for milliseconds. Left alone, the space for young objects grows until it holds many of
 * them at once, which was measured to cost 110 MiB and to gain no time.
 */
function boundYoungHeap(): void {
  setFlagsFromString("--semi-space-growth-factor=1");
}

/** Runs this process's command line and leaves its exit code behind. */
async function runProcess(): Promise<void> {
  boundYoungHeap();
  const stop = createStopControl();
  const signals = listenForSignals(stop.requestCancel);
  const pipe = listenForCancel(process.env, stop.requestCancel);
  try {
    process.exitCode = await main(process.argv.slice(2), {
      environment: process.env,
      cwd: process.cwd(),
      // One synchronous write: the output is whole when the process ends (execution-contract §5.5).
      stdout: (text) => writeAll(1, text),
      stderr: (line) => writeAll(2, `${line}\n`),
      stop,
    });
  } catch (error) {
    writeAll(2, `Error [INTERNAL_ERROR]: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = RUNNER_EXIT.environment;
  } finally {
    pipe.dispose();
    signals.dispose();
    stop.dispose();
  }
  // A request that was given up at the time limit must not keep the process: everything is written by now.
  process.exit();
}

/** Writes everything to a descriptor; a reader that has gone away is no reason to fail. */
function writeAll(descriptor: number, text: string): void {
  const bytes = Buffer.from(text, "utf8");
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(descriptor, bytes, at);
    } catch (error) {
      const full = error instanceof Error && "code" in error && error.code === "EAGAIN";
      if (!full) return;
    }
  }
}

if (import.meta.main) await runProcess();
