import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { runJobRunner } from "../../../main/job-runner/index.ts";
import { createStopControl, type StopControl } from "../../../main/job-runner/run/stop.ts";
import { type ExecutionResultJson, executionResultSchema } from "../../../shared/contract/index.ts";

export const RUNNER = resolve(import.meta.dirname, "../../../main/job-runner/index.ts");

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** The parsed and schema-checked result file; null when there is none. */
  readonly result: ExecutionResultJson | null;
}

export interface Started {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
}

export async function runInside(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  cwd: string,
  resultPath: string | null,
  given?: StopControl,
): Promise<Ended> {
  let stdout = "";
  let stderr = "";
  const stop = given ?? createStopControl();
  try {
    const code = await runJobRunner(args, {
      environment,
      cwd,
      stop,
      stdout: (text) => {
        stdout += text;
      },
      stderr: (line) => {
        stderr += `${line}\n`;
      },
    });
    return { code, stdout, stderr, result: readResult(resultPath) };
  } finally {
    stop.dispose();
  }
}

export function readResult(path: string | null): ExecutionResultJson | null {
  return path !== null && existsSync(path) ? checkedResult(readFileSync(path, "utf8")) : null;
}

export function launch(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  cwd: string,
  resultPath: string | null,
  cli: string = RUNNER,
): Started {
  mkdirSync(cwd, { recursive: true });
  const child = spawn(process.execPath, [cli, ...args], {
    cwd,
    env: { PATH: process.env.PATH ?? "", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => out.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => err.push(chunk));
  const ended = new Promise<Ended>((done, reject) => {
    child.on("error", reject);
    child.on("close", (code) => {
      const stdout = Buffer.concat(out).toString("utf8");
      const stderr = Buffer.concat(err).toString("utf8");
      try {
        done({ code, stdout, stderr, result: readResult(resultPath) });
      } catch (error) {
        reject(error);
      }
    });
  });
  return { child, ended };
}

/** A result that breaks the contract fails the test that made it. */
export function checkedResult(text: string): ExecutionResultJson {
  if (!text.endsWith("\n") || text.indexOf("\n") !== text.length - 1) throw new Error("not one line");
  return executionResultSchema.parse(JSON.parse(text));
}
