import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Provisioner } from "../local-kintone/index.ts";
import { ensureAllowList } from "./allow-list.ts";
import type { DataDir } from "./data-dir.ts";
import { requireSameDatabase } from "./embedded-database.ts";
import type { Connection } from "./environment.ts";
import type { NetworkEntry } from "./ports.ts";
import { type ProvisionedApps, provisionApps } from "./provision.ts";
import { provisionSamples } from "./provision-samples.ts";
import { ensureRunnerConfig } from "./runner-config.ts";
import { SAMPLE_NETWORKS } from "./samples.ts";
import { readWorkspaceConfig, type WorkspaceConfig, writeWorkspaceConfig } from "./workspace-config.ts";

/** The profile of the embedded workspace; part of every key, so it never changes. */
export const EMBEDDED_PROFILE = "local";
const TIMEZONE = "Asia/Tokyo";
const LOG_APP = "job_log";
const LOG_TOKEN_VARIABLE = "FLOWNET_TOKEN_JOB_LOG";

/** The built-in runner's entry; started with the Node that runs this program (decisions section 1). */
export const BUILT_IN_RUNNER = join(import.meta.dirname, "..", "job-runner", "index.ts");

/** The embedded workspace, ready: where it is, and the tokens its runner configuration refers to. */
export interface EmbeddedWorkspace {
  readonly connection: Connection;
  readonly runnerTokens: Readonly<Record<string, string>>;
  readonly networks: readonly NetworkEntry[];
}

/**
 * Brings the embedded workspace of a data folder to where a Run can start: apps, tokens, sample records, the
 * runner's configuration and the list of networks. Idempotent, and safe to be killed at any point: the file
 * `config.json` is written last.
 */
export async function prepareEmbedded(
  dataDir: DataDir,
  server: { readonly baseUrl: string; readonly provisioner: Provisioner },
  signal?: AbortSignal,
): Promise<EmbeddedWorkspace> {
  const known = await readWorkspaceConfig(dataDir.configFile);
  const { databaseId } = await server.provisioner.status();
  requireSameDatabase(known, databaseId, dataDir);
  const apps = await provisionApps(server.provisioner);
  if (known?.samplesComplete !== true) {
    await provisionSamples(server.provisioner, apps.business, signal);
  }
  await ensureRunnerConfig(dataDir.runnerConfigFile, {
    profile: EMBEDDED_PROFILE,
    baseUrl: server.baseUrl,
    timezone: TIMEZONE,
    apps: [
      ...apps.business.map((app) => ({
        name: app.logicalName,
        id: app.appId,
        tokenVariable: app.tokenVariable,
      })),
      { name: LOG_APP, id: apps.runnerLog.appId, tokenVariable: LOG_TOKEN_VARIABLE },
    ],
    logApp: LOG_APP,
    logDir: dataDir.runnerLogs,
  });
  await makeIoFolders(dataDir);
  const networks = await ensureAllowList(dataDir.allowListFile, SAMPLE_NETWORKS);
  const config = configOf(server.baseUrl, databaseId, apps);
  if (JSON.stringify(known) !== JSON.stringify(config)) {
    await writeWorkspaceConfig(dataDir.configFile, config);
  }
  return {
    connection: connectionOf(dataDir, server.baseUrl, apps),
    runnerTokens: tokensOf(apps),
    networks,
  };
}

/** Empty, so that whoever looks finds where files belong; readable by this account alone. */
async function makeIoFolders({ io }: DataDir): Promise<void> {
  for (const side of ["in", "out"]) await mkdir(join(io, side), { recursive: true, mode: 0o700 });
}

function configOf(baseUrl: string, databaseId: string, apps: ProvisionedApps): WorkspaceConfig {
  const { state, audit, request, jobLog } = apps.flow;
  return {
    kind: "FLOWNET_WORKSPACE",
    formatVersion: 1,
    profile: EMBEDDED_PROFILE,
    timezone: TIMEZONE,
    baseUrl,
    databaseId,
    apps: { state: state.appId, audit: audit.appId, request: request.appId, jobLog: jobLog.appId },
    businessApps: Object.fromEntries(apps.business.map((app) => [app.logicalName, app.appId])),
    samplesComplete: true,
  };
}

function connectionOf(dataDir: DataDir, baseUrl: string, apps: ProvisionedApps): Connection {
  return {
    profile: EMBEDDED_PROFILE,
    baseUrl,
    state: apps.flow.state,
    audit: apps.flow.audit,
    jobLog: apps.flow.jobLog,
    request: apps.flow.request,
    allowListPath: dataDir.allowListFile,
    runner: {
      bin: process.execPath,
      binArgs: [BUILT_IN_RUNNER],
      configPath: dataDir.runnerConfigFile,
      workDir: dataDir.work,
    },
  };
}

function tokensOf(apps: ProvisionedApps): Readonly<Record<string, string>> {
  return {
    ...Object.fromEntries(apps.business.map((app) => [app.tokenVariable, app.token])),
    [LOG_TOKEN_VARIABLE]: apps.runnerLog.token,
  };
}
