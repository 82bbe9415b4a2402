import { FlowError } from "../../shared/domain/problem.ts";
import { type EnsuredKintone, ensureLocalKintone } from "../local-kintone/index.ts";
import { readAllowList } from "./allow-list.ts";
import { checkConnection } from "./check-connection.ts";
import { type DataDir, prepareDataDir } from "./data-dir.ts";
import { type EmbeddedWorkspace, prepareEmbedded } from "./embedded.ts";
import { type Connection, connectionFromEnv, isConfigured } from "./environment.ts";
import type { OpenWorkspaceOptions } from "./ports.ts";
import { runnerVariables } from "./runner-config.ts";
import { assembleWorkspace, type OpenedWorkspace, throwIfAborted } from "./workspace.ts";

export interface OpenOptions extends OpenWorkspaceOptions {
  /** `KSQL_FLOW_BIN`, `_CONFIG` and `_WORKDIR` as given on the command line; they win over variables. */
  readonly runner?: Readonly<Record<string, string>>;
  /** Port of the local kintone, for a data folder that has none yet. */
  readonly port?: number;
  /** End the local kintone together with this workspace when nobody else uses it. */
  readonly endServer?: boolean;
}

/**
 * Opens the place to work in: the embedded workspace of the data folder when no connection variable is set,
 * else the kintone the variables name, checked before anything rests on it. Whoever opens disposes. Errors
 * as `FlowError` with place and remedy: of the data folder, the variables, the server, the apps, the tokens.
 */
export async function openWorkspace(options: OpenOptions): Promise<OpenedWorkspace> {
  throwIfAborted(options.signal);
  const dataDir = await prepareDataDir(options.dataDir);
  return isConfigured(options.env) ? openConfigured(options, dataDir) : openEmbeddedIn(options, dataDir);
}

/** The embedded workspace, whatever the variables say. */
export async function openEmbedded(options: OpenOptions): Promise<OpenedWorkspace> {
  throwIfAborted(options.signal);
  return openEmbeddedIn(options, await prepareDataDir(options.dataDir));
}

async function openConfigured(options: OpenOptions, dataDir: DataDir): Promise<OpenedWorkspace> {
  const { env, signal } = options;
  const connection = connectionFromEnv(env, options.runner ?? {}, process.cwd());
  const runnerTokens = await runnerVariables(connection.runner.configPath, env);
  const networks = connection.allowListPath === null ? [] : await readAllowList(connection.allowListPath);
  await checkConnection(connection, signal);
  return assembleWorkspace({
    kind: "configured",
    connection,
    networks,
    runnerTokens,
    dataDir,
    env,
    release: async () => undefined,
  });
}

async function openEmbeddedIn(options: OpenOptions, dataDir: DataDir): Promise<OpenedWorkspace> {
  const { env, signal } = options;
  const server = await ensureLocalKintone({
    dataDir: dataDir.root,
    execPath: process.execPath,
    signal: signal ?? new AbortController().signal,
    ...(options.port === undefined ? {} : { port: options.port }),
  });
  try {
    refuseOtherPort(server, options.port);
    const prepared = await prepareEmbedded(dataDir, server, signal);
    const { connection, runnerTokens } = await withOverrides(prepared, options);
    return assembleWorkspace({
      kind: "embedded",
      connection,
      networks: prepared.networks,
      runnerTokens,
      dataDir,
      env,
      release: () => release(server, options.endServer === true),
    });
  } catch (error) {
    await release(server, options.endServer === true);
    throw error;
  }
}

/** A server that runs already answers where it answers: stored Runs name that address. */
function refuseOtherPort({ port }: EnsuredKintone, wish: number | undefined): void {
  if (wish === undefined || wish === port) return;
  throw new FlowError({
    code: "PORT_ALREADY_CHOSEN",
    message: `This data folder's local kintone answers on port ${port}; stored Runs name that address.`,
    place: "argument --port",
    remedy: `Leave --port out, or use another data folder for port ${wish}.`,
  });
}

/** Another runner, or another configuration of it, on the embedded records. */
async function withOverrides(
  prepared: EmbeddedWorkspace,
  { runner = {}, env }: OpenOptions,
): Promise<{ readonly connection: Connection; readonly runnerTokens: Readonly<Record<string, string>> }> {
  const { connection, runnerTokens } = prepared;
  const { KSQL_FLOW_BIN: bin, KSQL_FLOW_CONFIG: configPath, KSQL_FLOW_WORKDIR: workDir } = runner;
  const changed = {
    ...connection.runner,
    // The leading arguments belong to the built-in program.
    ...(bin === undefined ? {} : { bin, binArgs: [] }),
    ...(configPath === undefined ? {} : { configPath }),
    ...(workDir === undefined ? {} : { workDir }),
  };
  const tokens =
    configPath === undefined ? runnerTokens : await runnerVariables(configPath, { ...env, ...runnerTokens });
  return { connection: { ...connection, runner: changed }, runnerTokens: tokens };
}

/**
 * Lets go of the server. It ends by itself 60 s after its last user (decisions section 2); a console that was
 * the last one ends it now, so that Ctrl+C leaves nothing behind.
 */
async function release(server: EnsuredKintone, endServer: boolean): Promise<void> {
  if (endServer && !server.lost.aborted) {
    const status = await server.provisioner.status().catch(() => null);
    if (status?.leases === 1) await server.provisioner.stop().catch(() => undefined);
  }
  await server.release();
}
