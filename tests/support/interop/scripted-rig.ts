import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import type { JobScript } from "../scripted-workspace.ts";
import { type InteropNetwork, writeNetwork } from "./network.ts";
import type { Env } from "./program.ts";
import { type InteropRig, openInterop } from "./rig.ts";

const RUNNER = path.resolve(import.meta.dirname, "..", "..", "fixtures", "children", "scripted-runner.mjs");
const LOG_TOKEN = "FLOWNET_TOKEN_JOB_LOG";

/** A child of either program, and how it ended; null while it runs or when it was killed. */
export interface ChildLife {
  readonly jobId: string;
  readonly attemptId: string;
  readonly ending: string | null;
}

/** Both programs with a runner that does what a script says: cheap, and every child leaves a trace. */
export interface ScriptedRig extends InteropRig {
  /** Sets what a job does from now on; without a script it ends well and says so in the JOB log. */
  script(jobId: string, script: JobScript): Promise<void>;
  /** Writes a network whose jobs write a JOB log record as the real runner does. */
  network(network: InteropNetwork): Promise<string>;
  children(networkId: string): Promise<readonly ChildLife[]>;
  /** Jobs of a network that an inspection was started for, in order. */
  inspections(networkId: string): Promise<readonly string[]>;
}

/** Opens it; whoever opens disposes. */
export async function openScriptedRig(): Promise<ScriptedRig> {
  const rig = await openInterop(scripted);
  const scripts = scriptsIn(rig.folder);
  const script = (jobId: string, value: JobScript): Promise<void> =>
    writeFile(path.join(scripts, `${jobId}.json`), JSON.stringify(value));
  const lines = (file: string): Promise<readonly Readonly<Record<string, string>>[]> =>
    linesOf(path.join(scripts, file));
  return {
    ...rig,
    script,
    async network(network) {
      for (const { id } of network.nodes) await script(`${network.id}_${id}`, WELL);
      return writeNetwork(path.join(rig.folder, "networks"), network);
    },
    async inspections(networkId) {
      const all = (await lines("inspections.jsonl")).map(({ jobId = "" }) => jobId);
      return all.filter((jobId) => jobId.startsWith(`${networkId}_`));
    },
    async children(networkId) {
      const ends = new Map((await lines("ends.jsonl")).map((end) => [end.attemptId, end.ending]));
      return (await lines("starts.jsonl")).flatMap(({ jobId = "", attemptId = "" }) =>
        jobId.startsWith(`${networkId}_`) ? [{ jobId, attemptId, ending: ends.get(attemptId) ?? null }] : [],
      );
    },
  };
}

/** Ends well, as the JOB log says too. */
export const WELL: JobScript = { ending: "OK", jobLog: { status: "SUCCESS" } };
/** Fails in a way that a later try may survive. */
export const ILL: JobScript = { ending: "ASSERT_FAILED", jobLog: { status: "ABORTED" } };

const scriptsIn = (folder: string): string => path.join(folder, "scripts");

/** The variables of both programs for this runner, which needs the token of the log it writes. */
async function scripted(block: Env, folder: string): Promise<Env> {
  const scripts = scriptsIn(folder);
  await mkdir(scripts);
  const baseUrl = block.KSQL_FLOWNET_BASE_URL ?? "";
  const logAppId = Number(block.KSQL_FLOW_LOG_APP_ID);
  await writeFile(path.join(scripts, "kintone.json"), JSON.stringify({ baseUrl, logAppId }));
  const apps = { LOG: { id: logAppId, tokens: ["env:LOG_TOKEN"] } };
  const profile = { baseUrl, timezone: "Asia/Tokyo", auth: { type: "apiToken" }, apps };
  const config = path.join(folder, "ksql.config.json");
  await writeFile(config, JSON.stringify({ profiles: { local: profile } }));
  return {
    KSQL_FLOW_BIN: process.execPath,
    KSQL_FLOW_BIN_ARGS: JSON.stringify([RUNNER, scripts]),
    KSQL_FLOW_CONFIG: config,
    KSQL_FLOW_WORKDIR: path.join(folder, "work"),
    LOG_TOKEN: block[LOG_TOKEN] ?? "",
  };
}

async function linesOf(file: string): Promise<readonly Readonly<Record<string, string>>[]> {
  if (!existsSync(file)) return [];
  const lines = (await readFile(file, "utf8")).split("\n").filter((line) => line !== "");
  return lines.map((line) => {
    const value: unknown = JSON.parse(line);
    const entries = typeof value === "object" && value !== null ? Object.entries(value) : [];
    return Object.fromEntries(entries.map(([key, cell]) => [key, String(cell)]));
  });
}
