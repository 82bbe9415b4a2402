/** What the process of the local kintone does; its entry is `serve.ts`. */
import { flushCompileCache } from "node:module";
import { parseArgs } from "node:util";
import { FlowError, type Problem } from "../../shared/domain/problem.ts";
import type { FaultStart } from "./faults/process-form.ts";
import { kintonePaths } from "./process/server-file.ts";
import type { StartMessage } from "./process/start-message.ts";
import { type LocalKintoneProcess, startLocalKintoneProcess } from "./process.ts";
import { storageProblem } from "./storage/failures.ts";

const DEFAULT_IDLE_MS = 60_000;

interface ServeArguments {
  readonly dataDir: string;
  readonly port: number | null;
  readonly idleMs: number | null;
  readonly synchronous: "FULL" | "NORMAL";
  readonly json: boolean;
  readonly faults?: FaultStart;
}

function whole(value: string, option: string, most: number): number {
  if (/^\d{1,9}$/.test(value) && Number(value) <= most) return Number(value);
  throw new FlowError({
    code: "OPTION_INVALID",
    message: `${option} takes a whole number up to ${most}.`,
    place: option,
    remedy: "Correct the option.",
  });
}

function readArguments(argv: readonly string[]): ServeArguments {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      "data-dir": { type: "string" },
      port: { type: "string" },
      resident: { type: "boolean", default: false },
      json: { type: "boolean", default: false },
      control: { type: "boolean", default: false },
      "fault-rules": { type: "string" },
      "fault-journal": { type: "string" },
      // For tests and benches only.
      "idle-ms": { type: "string" },
      synchronous: { type: "string", default: "FULL" },
    },
  });
  const dataDir = values["data-dir"];
  if (dataDir === undefined || dataDir === "") {
    throw new FlowError({
      code: "OPTION_MISSING",
      message: "The local kintone needs a data folder.",
      place: "--data-dir",
      remedy: "Name the folder.",
    });
  }
  const idle = values["idle-ms"];
  const idleMs = idle === undefined ? DEFAULT_IDLE_MS : whole(idle, "--idle-ms", 999_999_999);
  return {
    dataDir,
    port: values.port === undefined ? null : whole(values.port, "--port", 65_535),
    idleMs: values.resident ? null : idleMs,
    synchronous: values.synchronous === "NORMAL" ? "NORMAL" : "FULL",
    json: values.json,
    ...(values.control
      ? { faults: { rulesFile: values["fault-rules"] ?? null, journalFile: values["fault-journal"] ?? null } }
      : {}),
  };
}

const log = (line: string): void => {
  process.stderr.write(`${new Date().toISOString()} ${process.pid} ${line}\n`);
};

/** Tells the starter, over the channel it opened, what became of the start. */
function tell(message: StartMessage): Promise<void> {
  return new Promise((resolve) => {
    if (process.send === undefined) resolve();
    else process.send(message, () => resolve());
  });
}

function print(running: LocalKintoneProcess, json: boolean): void {
  const { controlToken: _secret, controlUrl: _control, ...shown } = running.server;
  process.stdout.write(json ? `${JSON.stringify(shown)}\n` : `local kintone: ${shown.baseUrl}\n`);
}

async function main(): Promise<void> {
  const options = readArguments(process.argv.slice(2));
  const running = await startLocalKintoneProcess({ ...options, clock: { now: () => Date.now() }, log });
  if (running === null) {
    log("another server owns the data folder");
    await tell({ kind: "LOCAL_KINTONE_START", outcome: "taken" });
    if (process.connected) process.disconnect();
    return;
  }
  const stop = (): void => {
    running.stop().catch((error: unknown) => {
      log(`failure while ending: ${error instanceof Error ? error.message : "unknown"}`);
      process.exitCode = 1;
    });
  };
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
  print(running, options.json);
  await tell({ kind: "LOCAL_KINTONE_START", outcome: "listening" });
  // Kept now: a process that is killed would leave the next one to compile everything anew.
  flushCompileCache();
  await running.ended;
  process.off("SIGINT", stop);
  process.off("SIGTERM", stop);
  if (process.connected) process.disconnect();
}

/** The folder is the last thing known when a start fails in a way nobody foresaw. */
function startProblem(error: unknown): Problem {
  if (error instanceof FlowError) return error.problem;
  const folder = process.argv[process.argv.indexOf("--data-dir") + 1] ?? "";
  const { database, log } = kintonePaths(folder);
  return (
    storageProblem(error, database) ?? {
      code: "LOCAL_KINTONE_FAILED",
      message: error instanceof Error ? error.message : "The local kintone did not start.",
      place: folder,
      remedy: `Read the end of local-kintone.log in ${log}.`,
    }
  );
}

try {
  await main();
} catch (error) {
  const problem = startProblem(error);
  process.stderr.write(`Error [${problem.code}]: ${problem.message}\n`);
  await tell({ kind: "LOCAL_KINTONE_START", outcome: "failed", problem });
  if (process.connected) process.disconnect();
  process.exitCode = 1;
}
