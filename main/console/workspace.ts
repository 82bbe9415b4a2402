import { join } from "node:path";
import { formatLocalOwner } from "../../shared/domain/owner-instance.ts";
import { FlowError } from "../../shared/domain/problem.ts";
import {
  adoptingJudge,
  createAttempts,
  createJournal,
  createOrphanJudge,
  createRunner,
  createRunnerLocks,
  createSurvivors,
  journalLockOwner,
  readHostFacts,
  readResultFile,
  workFolderOf,
} from "../attempt/index.ts";
import { createKintoneTransport, type KintoneTransport, watchServerClock } from "../kintone-client/index.ts";
import { createOrchestrator, type IoSettings } from "../orchestrator/index.ts";
import { createInspector, createProcessManager, systemBootId } from "../process/index.ts";
import { createKintoneStore } from "../store/kintone/index.ts";
import { clockFor, sleep, systemClock, systemIds } from "./clock.ts";
import { withClockGuard } from "./clock-guard.ts";
import type { DataDir } from "./data-dir.ts";
import { BUILT_IN_RUNNER } from "./embedded.ts";
import {
  type AppAccess,
  type Connection,
  childEnvironment,
  environmentBlock,
  gracePeriodMs,
  hostName,
  requestedBy,
} from "./environment.ts";
import type { LockEvidence } from "./locks/evidence.ts";
import { createLogKeeper, createLogPlaces, createLogStore, createRunnerLogs } from "./logs/index.ts";
import type { NetworkEntry, Workspace } from "./ports.ts";
import { createProgramLog, type ProgramLog } from "./program-log/index.ts";
import { countingTransport, type RequestLedger } from "./request-ledger.ts";
import { isSameKintone } from "./same-kintone.ts";
import { createServerClock } from "./server-clock.ts";
import { proxySecrets } from "./settings/index.ts";
import { openRecovery } from "./workspace-recovery.ts";
import { createProbes, createSources, readyOnce } from "./workspace-sources.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** A workspace, and the block of variables that lets another FlowNet program work in the same one. */
export interface OpenedWorkspace extends Workspace {
  /** Complete, with tokens: for the environment of a child or the owner's terminal, never for a log. */
  environment(): Readonly<Record<string, string>>;
}

export interface WorkspaceParts {
  readonly kind: Workspace["kind"];
  readonly connection: Connection;
  readonly networks: readonly NetworkEntry[];
  readonly readNetworks: Workspace["readNetworks"];
  /** Values of the variables the runner's configuration refers to. */
  readonly runnerTokens: Readonly<Record<string, string>>;
  readonly dataDir: DataDir;
  readonly env: Env;
  /** Holds the connection against the wire format, where that could not be done before (electron-desktop N8). */
  readonly check?: (signal?: AbortSignal) => Promise<void>;
  /** Where the program writes what went wrong; one of its own where whoever opens has none. */
  readonly log?: ProgramLog;
  /** What stands before the line to kintone: waiting for a server that is started again, or watching its answers. */
  readonly waiting?: (transport: KintoneTransport) => KintoneTransport;
  /** Undone last: the server the workspace stands on. */
  readonly release: () => Promise<void>;
}

/** Wires store, process, attempt and orchestrator over one connection (architecture section 2, `console/`). */
export function assembleWorkspace(parts: WorkspaceParts): OpenedWorkspace {
  const { connection, dataDir, env } = parts;
  const clock = clockFor(connection.baseUrl, env);
  const host = hostName(env);
  const log = parts.log ?? createProgramLog({ folder: dataDir.log, clock: systemClock, pid: process.pid });
  log.hide(secretsOf(parts));
  const serverClock = createServerClock();
  // This host's own clock, not one that a test has shifted.
  const unwatch = watchServerClock({
    baseUrl: connection.baseUrl,
    nowMs: systemClock.nowMs,
    told: serverClock.heard,
  });
  const sources = createSources(connection, dataDir, clock);
  const connected = createKintoneTransport({
    baseUrl: connection.baseUrl,
    ...connection.reach,
    tokens: tokenMap([
      connection.state,
      connection.audit,
      connection.jobLog,
      ...(connection.request === null ? [] : [connection.request]),
    ]),
  });
  const transport = countingTransport(parts.waiting?.(connected) ?? connected, sources.requests);
  const store = withClockGuard(
    createKintoneStore({ transport, apps: appIds(connection), clock, ids: systemIds, sleep }),
    () => serverClock.current()?.verdict ?? null,
    (problem) => log.problem("clock", problem),
  );
  const inspector = createInspector();
  const processes = createProcessManager({
    inspector,
    clock,
    onProblem: (problem) => log.problem("process", problem),
  });
  const journal = createJournal({
    folder: dataDir.journal,
    hostFacts: readHostFacts(systemBootId),
    clock,
    ids: systemIds,
  });
  const journalOwner = (invocationId: string): Promise<void> =>
    journalLockOwner(invocationId, journal, inspector);
  const ownerInstanceId = nonEmpty(env.KSQL_FLOWNET_OWNER_INSTANCE_ID) ?? formatLocalOwner(host, process.pid);
  const runnerConfig = runnerConfigOf(parts);
  const logs = openLogs(parts);
  const runner = createRunner(runnerConfig, processes);
  const { workDir } = runnerConfig;
  const survivors = createSurvivors({
    journal,
    processes,
    inspector,
    workDir,
    onProblem: (problem) => log.problem("attempt", problem),
  });
  const orphans = adoptingJudge(createOrphanJudge({ jobLog: store, journal, inspector, workDir }), survivors);
  const io = ioSettings(parts);
  const orchestrator = createOrchestrator({
    store,
    runner,
    attempts: createAttempts({
      runnerConfig,
      processes,
      jobLog: store,
      journal,
      clock,
      keepLogs: logs.keep,
      onProblem: (problem) => log.problem("attempt", problem),
    }),
    orphans,
    clock,
    ids: systemIds,
    delay: sleep,
    profile: connection.profile,
    host,
    ownerInstanceId,
    workDir: connection.runner.workDir,
    io,
    journalLockOwner: journalOwner,
  });
  const lockEvidence: LockEvidence = {
    inspector,
    hostFacts: journal.hostFacts,
    journalOwner: journal.lockOwner,
    resultOf: (attemptId) => readResultFile(workFolderOf(runnerConfig.workDir, attemptId).resultPath),
  };
  const acting = openRecovery({
    connection,
    dataDir,
    env,
    host,
    ownerInstanceId,
    clock,
    store,
    transport,
    lockEvidence,
    runner,
    orphans,
    io,
    allowList: parts.readNetworks,
    journalLockOwner: journalOwner,
  });
  return {
    kind: parts.kind,
    profile: connection.profile,
    baseUrl: connection.baseUrl,
    host,
    requestedBy: requestedBy(env),
    networks: parts.networks,
    readNetworks: parts.readNetworks,
    ...sources,
    serverClock,
    log,
    probes: createProbes({ transport, sleep }, sources.apps),
    ready: readyOnce(parts.check),
    reads: store,
    audits: store,
    bundles: store,
    attemptEvidence: journal.evidenceFor,
    logs: logs.store,
    lockEvidence,
    children: { processes, inspector, survivors, journal, workDir, graceMs: runnerConfig.graceMs },
    openJobReader: jobReaderOf(parts, sources.requests),
    schedulesFile: dataDir.schedulesFile,
    orchestrator,
    runnerLocks: createRunnerLocks(runnerConfig, processes),
    ...acting,
    environment: () => ({ ...environmentBlock(connection, parts.runnerTokens), ...ioVariables(parts) }),
    dispose: () =>
      disposeAll([
        store.dispose,
        processes.dispose,
        journal.dispose,
        connected.dispose,
        async () => unwatch(),
        sources.requests.save,
        parts.release,
        ...(parts.log === undefined ? [log.dispose] : []),
      ]),
  };
}

/** The runner itself is loaded when it is looked through for the first time: most consoles never do. */
function jobReaderOf(
  { connection, runnerTokens }: WorkspaceParts,
  ledger: Pick<RequestLedger, "count">,
): Workspace["openJobReader"] {
  const { runner, profile, baseUrl } = connection;
  return async () => {
    const { openJobReader } = await import("../job-runner/index.ts");
    return openJobReader({
      configPath: runner.configPath,
      profile,
      environment: runnerTokens,
      // What is asked of another kintone counts there: its apps have the same numbers as ours and are others.
      sending: (to, apps) => isSameKintone(to, baseUrl) && ledger.count(apps),
    });
  };
}

/** Variables win; the embedded workspace has a folder of its own (orchestration section 8.4). */
function ioSettings({ kind, env, dataDir }: WorkspaceParts): IoSettings {
  return {
    dir: nonEmpty(env.KSQL_FLOWNET_IO_DIR) ?? (kind === "embedded" ? dataDir.io : null),
    retentionDays: nonEmpty(env.KSQL_FLOWNET_IO_RETENTION_DAYS),
  };
}

function ioVariables(parts: WorkspaceParts): Readonly<Record<string, string>> {
  const { dir, retentionDays } = ioSettings(parts);
  return {
    ...(dir === null ? {} : { KSQL_FLOWNET_IO_DIR: dir }),
    ...(retentionDays === null ? {} : { KSQL_FLOWNET_IO_RETENTION_DAYS: retentionDays }),
  };
}

/** Every value that opens something: none of them is written to a log (electron-desktop S4). */
function secretsOf({ connection, runnerTokens }: WorkspaceParts): readonly string[] {
  const { state, audit, jobLog, request } = connection;
  const tokens = [state, audit, jobLog, ...(request === null ? [] : [request])].map(({ token }) => token);
  return [...tokens, ...Object.values(runnerTokens), ...proxySecrets(connection.reach?.proxyUrl)];
}

/** Logs of this host's attempts, kept in the data folder, and read from there and from where they are written. */
function openLogs({ kind, connection, dataDir }: WorkspaceParts) {
  const keptDir = join(dataDir.log, "attempts");
  // Another installation's runner keeps its logs where its own configuration says; they are its own.
  const runnerLogs = kind === "embedded" ? createRunnerLogs(dataDir.runnerLogs) : null;
  const places = createLogPlaces({ keptDir, workDir: connection.runner.workDir, runnerLogs });
  return { keep: createLogKeeper({ keptDir, runnerLogs }), store: createLogStore(places) };
}

/** In order, each even when one before it failed; the first failure is told. */
async function disposeAll(steps: readonly (() => Promise<void>)[]): Promise<void> {
  const failures: unknown[] = [];
  for (const step of steps) await step().catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}

function runnerConfigOf({ connection, runnerTokens, env }: WorkspaceParts) {
  const { runner, profile } = connection;
  return {
    command: runner.bin,
    leadingArgs: runner.binArgs,
    configPath: runner.configPath,
    profile,
    workDir: runner.workDir,
    env: childEnvironment(env, runnerTokens),
    graceMs: gracePeriodMs(env),
    controlPipe: runner.bin === process.execPath && runner.binArgs[0] === BUILT_IN_RUNNER,
  };
}

function appIds(connection: Connection) {
  return {
    state: connection.state.appId,
    audit: connection.audit.appId,
    jobLog: connection.jobLog.appId,
  };
}

/** Tokens by app; one app may stand in two roles with a token each. */
function tokenMap(accesses: readonly AppAccess[]): ReadonlyMap<number, readonly string[]> {
  const tokens = new Map<number, string[]>();
  for (const { appId, token } of accesses) {
    const known = tokens.get(appId) ?? [];
    if (!known.includes(token)) tokens.set(appId, [...known, token]);
  }
  return tokens;
}

function nonEmpty(value: string | undefined): string | null {
  return value === undefined || value === "" ? null : value;
}

/** A signal that was aborted before the workspace was open ends the opening with a code of its own. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted !== true) return;
  throw new FlowError({
    code: "CANCELLED",
    message: "Stopped before anything was started.",
    remedy: "Start the command again when you want it to run.",
  });
}
