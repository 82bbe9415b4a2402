import type { ConnectionSettings } from "../../shared/api/index.ts";
import { FlowError } from "../../shared/domain/problem.ts";
import { type KeptKintone, keepLocalKintone } from "../local-kintone/index.ts";
import { readAllowList } from "./allow-list.ts";
import { checkConnection } from "./check-connection.ts";
import { type CheckedConnection, createCheckedConnection } from "./checked-connection.ts";
import { clockFor, sleep, systemClock } from "./clock.ts";
import { type DataDir, prepareDataDir } from "./data-dir.ts";
import { type EmbeddedWorkspace, prepareEmbedded } from "./embedded.ts";
import { requireDatabase } from "./embedded-database.ts";
import { type Connection, connectionFromEnv, isConfigured } from "./environment.ts";
import { withSettings } from "./open-settings.ts";
import type { NetworkEntry, OpenWorkspaceOptions } from "./ports.ts";
import type { ProgramLog } from "./program-log/index.ts";
import { runnerVariables } from "./runner-config.ts";
import {
  activeConnection,
  connectionFromSettings,
  type OpenedBy,
  openFileSecrets,
  openSettingsFile,
  proxyFromEnv,
  type SecretStore,
  type SystemProxy,
} from "./settings/index.ts";
import { waitingTransport } from "./waiting-transport.ts";
import { assembleWorkspace, type OpenedWorkspace, throwIfAborted } from "./workspace.ts";

export interface OpenOptions extends OpenWorkspaceOptions {
  /** `KSQL_FLOW_BIN`, `_CONFIG` and `_WORKDIR` as given on the command line; they win over variables. */
  readonly runner?: Readonly<Record<string, string>>;
  /** Port of the local kintone, for a data folder that has none yet. */
  readonly port?: number;
  /** End the local kintone together with this workspace when nobody else uses it. */
  readonly endServer?: boolean;
  /** Where a front keeps tokens; a file guarded by its rights where it brings none. */
  readonly secrets?: SecretStore;
  /** Which proxy the system names; what the variables say where a front knows no better. */
  readonly systemProxy?: SystemProxy;
  /**
   * Open the embedded workspace, to look at only, where the connection of the settings cannot be opened: a console has
   * to start for that to be repaired. Commands never do.
   */
  readonly standIn?: boolean;
  /** Where the program writes what went wrong; whoever brings it disposes it. */
  readonly log?: ProgramLog;
}

/**
 * Opens the place to work in: the kintone the variables name; else the active connection of the settings; else the
 * embedded workspace of the data folder. A kintone is checked before anything rests on it. Whoever opens disposes.
 * Errors as `FlowError` with place and remedy: of the data folder, variables, settings, server, apps, tokens.
 */
export async function openWorkspace(options: OpenOptions): Promise<OpenedWorkspace> {
  throwIfAborted(options.signal);
  const dataDir = await prepareDataDir(options.dataDir);
  if (isConfigured(options.env)) {
    return withSettings(await openConfigured(options, dataDir), options, dataDir, by("variables"));
  }
  try {
    const active = await activeConnection(openSettingsFile(dataDir.root));
    if (active !== null) {
      const workspace = await openFromSettings(active, options, dataDir);
      return await withSettings(workspace, options, dataDir, { ...by("settings"), connectionId: active.id });
    }
  } catch (error) {
    throwIfAborted(options.signal);
    if (options.standIn !== true || !(error instanceof FlowError)) throw error;
    const opened: OpenedBy = { ...by("fallback"), problem: error.problem };
    return withSettings(await openEmbeddedIn(options, dataDir), options, dataDir, opened);
  }
  return withSettings(await openEmbeddedIn(options, dataDir), options, dataDir, by("embedded"));
}

/** The embedded workspace, whatever variables and settings say. */
export async function openEmbedded(options: OpenOptions): Promise<OpenedWorkspace> {
  throwIfAborted(options.signal);
  const dataDir = await prepareDataDir(options.dataDir);
  return withSettings(await openEmbeddedIn(options, dataDir), options, dataDir, by("embedded"));
}

const by = (source: OpenedBy["source"]): OpenedBy => ({ source, connectionId: null, problem: null });

async function openFromSettings(
  active: ConnectionSettings,
  options: OpenOptions,
  dataDir: DataDir,
): Promise<OpenedWorkspace> {
  const { env } = options;
  const secrets = options.secrets ?? openFileSecrets(dataDir.root);
  const found = await connectionFromSettings(active, secrets, options.systemProxy ?? proxyFromEnv(env));
  const { connection, runnerTokens } = await withOverrides(found, options);
  const networks = await networksOf(connection.allowListPath);
  const known = createCheckedConnection(dataDir, connection, clockFor(connection.baseUrl, env));
  const checked = await checkUnlessOffline(connection, known, options);
  return assembleWorkspace({
    ...(checked ? {} : { check: (again) => checkAndKeep(connection, known, again) }),
    waiting: known.watched,
    kind: "configured",
    ...(options.log && { log: options.log }),
    connection,
    networks,
    // The list is no part of the line to kintone: another one counts at once.
    async readNetworks() {
      const now = await activeConnection(openSettingsFile(dataDir.root));
      return networksOf(now?.id === active.id ? now.allowListPath : connection.allowListPath);
    },
    runnerTokens,
    dataDir,
    // The runner reaches the same kintone, and has to trust the same authority.
    env: active.caFile === null ? env : { ...env, NODE_EXTRA_CA_CERTS: active.caFile },
    release: async () => undefined,
  });
}

async function openConfigured(options: OpenOptions, dataDir: DataDir): Promise<OpenedWorkspace> {
  const { env } = options;
  const connection = connectionFromEnv(env, options.runner ?? {}, process.cwd());
  const runnerTokens = await runnerVariables(connection.runner.configPath, env);
  const networks = await networksOf(connection.allowListPath);
  const known = createCheckedConnection(dataDir, connection, clockFor(connection.baseUrl, env));
  const checked = await checkUnlessOffline(connection, known, options);
  return assembleWorkspace({
    ...(checked ? {} : { check: (again) => checkAndKeep(connection, known, again) }),
    waiting: known.watched,
    kind: "configured",
    ...(options.log && { log: options.log }),
    connection,
    networks,
    readNetworks: () => networksOf(connection.allowListPath),
    runnerTokens,
    dataDir,
    env,
    release: async () => undefined,
  });
}

const networksOf = async (path: string | null): Promise<readonly NetworkEntry[]> =>
  path === null ? [] : readAllowList(path);

/** How long a start that may be offline waits for kintone; then the kept picture is shown. Milliseconds. */
const OFFLINE_AFTER_MS = 3_000;

async function checkAndKeep(
  connection: Connection,
  known: CheckedConnection,
  signal?: AbortSignal,
): Promise<void> {
  await checkConnection(connection, signal);
  await known.keep();
}

/**
 * False when kintone did not answer and the workspace may be opened all the same (electron-desktop N8). What stays open
 * for days is always checked; a command that ends at once believes the check of a short while ago.
 */
async function checkUnlessOffline(
  connection: Connection,
  known: CheckedConnection,
  options: OpenOptions,
): Promise<boolean> {
  const { signal, evenOffline } = options;
  if (evenOffline !== true) {
    if (!(await known.isFresh())) await checkAndKeep(connection, known, signal);
    return true;
  }
  const late = AbortSignal.timeout(OFFLINE_AFTER_MS);
  try {
    await checkAndKeep(connection, known, signal ? AbortSignal.any([signal, late]) : late);
    return true;
  } catch (error) {
    throwIfAborted(signal);
    if (error instanceof FlowError && error.code === "KINTONE_UNREACHABLE") return false;
    throw error;
  }
}

async function openEmbeddedIn(options: OpenOptions, dataDir: DataDir): Promise<OpenedWorkspace> {
  const { env, signal } = options;
  const server = await keepLocalKintone({
    guard: () => requireDatabase(dataDir),
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
      ...(options.log && { log: options.log }),
      connection,
      networks: prepared.networks,
      readNetworks: () => readAllowList(dataDir.allowListFile),
      runnerTokens,
      dataDir,
      env,
      waiting: (transport) =>
        waitingTransport(transport, { clock: systemClock, sleep, present: server.present }),
      release: () => server.release(options.endServer === true),
    });
  } catch (error) {
    await server.release(options.endServer === true);
    throw error;
  }
}

/** A server that runs already answers where it answers: stored Runs name that address. */
function refuseOtherPort({ port }: KeptKintone, wish: number | undefined): void {
  if (wish === undefined || wish === port) return;
  throw new FlowError({
    code: "PORT_ALREADY_CHOSEN",
    message: `This data folder's local kintone answers on port ${port}; stored Runs name that address.`,
    place: "argument --port",
    remedy: `Leave --port out, or use another data folder for port ${wish}.`,
  });
}

/** Another runner, or another configuration of it, on the same records. */
async function withOverrides(
  prepared: Pick<EmbeddedWorkspace, "connection" | "runnerTokens">,
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
