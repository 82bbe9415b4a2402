import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { FlowError } from "../../shared/domain/problem.ts";
import { cleanProblem } from "./process/control-contract.ts";
import { type HeldLease, takeLease } from "./process/lease-client.ts";
import { kintonePaths, makeFolders, readServerFile, type ServerFile } from "./process/server-file.ts";
import { startMessageSchema } from "./process/start-message.ts";
import { createProvisioner, type Provisioner } from "./provisioner.ts";
import { storageProblem } from "./storage/failures.ts";

export interface EnsureOptions {
  readonly dataDir: string;
  /** Port for a folder that has none yet. */
  readonly port?: number;
  /** The Node that runs the server. */
  readonly execPath: string;
  readonly signal: AbortSignal;
  /** Entry file of the server; the packaged program names its bundle. */
  readonly entry?: string;
  /** More options of the entry, for tests and benches. */
  readonly extraArguments?: readonly string[];
}

export interface EnsuredKintone {
  readonly baseUrl: string;
  readonly port: number;
  readonly pid: number;
  readonly provisioner: Provisioner;
  /** Aborted when the server died while we held the lease. */
  readonly lost: AbortSignal;
  /** Lets go of the lease; the server ends some time after the last one. */
  release(): Promise<void>;
}

/** Starting takes a second or two; a machine that needs longer than this has another trouble. */
const START_LIMIT_MS = 30_000;
/** Between two looks at a folder whose server is starting or ending. */
const LOOK_AGAIN_MS = 50;
/** The server needs none of our environment, and tokens stand there. */
const PASSED_ON = ["PATH", "SystemRoot", "windir", "TEMP", "TMP", "TMPDIR", "HOME", "USERPROFILE", "LANG"];

function environment(): Record<string, string> {
  const passed: Record<string, string> = {};
  for (const name of PASSED_ON) {
    const value = process.env[name];
    if (value !== undefined) passed[name] = value;
  }
  return passed;
}

function openLog(dataDir: string): number {
  const path = join(kintonePaths(dataDir).log, "local-kintone.log");
  try {
    makeFolders(dataDir);
    return openSync(path, "a", 0o600);
  } catch (error) {
    const problem = storageProblem(error, path);
    throw problem === null ? error : new FlowError(problem, error);
  }
}

function launch(options: EnsureOptions): ChildProcess {
  const log = openLog(options.dataDir);
  const entry = options.entry ?? fileURLToPath(new URL("./serve.ts", import.meta.url));
  const wish = options.port === undefined ? [] : ["--port", String(options.port)];
  try {
    return spawn(
      options.execPath,
      [entry, "--data-dir", options.dataDir, ...wish, ...(options.extraArguments ?? [])],
      // Detached: the server outlives its starter and serves whoever still holds a lease (decisions §2).
      { detached: true, windowsHide: true, env: environment(), stdio: ["ignore", log, log, "ipc"] },
    );
  } finally {
    closeSync(log);
  }
}

function startFailed(dataDir: string, detail: string): FlowError {
  return new FlowError({
    code: "LOCAL_KINTONE_START_FAILED",
    message: `The local kintone did not start: ${detail}.`,
    place: join(kintonePaths(dataDir).log, "local-kintone.log"),
    remedy: "Read the end of that log.",
  });
}

/** Starts a server and waits for its own word: it listens, or the folder is another's. */
function startServer(options: EnsureOptions, signal: AbortSignal): Promise<void> {
  const child = launch(options);
  return new Promise<void>((resolve, reject) => {
    child.once("error", (error) => reject(startFailed(options.dataDir, error.message)));
    child.once("exit", (code) => reject(startFailed(options.dataDir, `it ended with exit code ${code}`)));
    child.once("message", (raw) => {
      const parsed = startMessageSchema.safeParse(raw);
      if (!parsed.success) reject(startFailed(options.dataDir, "it answered with something unknown"));
      else if (parsed.data.outcome === "failed") reject(new FlowError(cleanProblem(parsed.data.problem)));
      else resolve();
    });
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  }).finally(() => {
    child.removeAllListeners();
    child.on("error", () => undefined);
    if (child.connected) child.disconnect();
    child.unref();
  });
}

interface Found {
  readonly server: ServerFile;
  readonly lease: HeldLease;
}

async function findRunning(dataDir: string, signal: AbortSignal): Promise<Found | null> {
  const server = readServerFile(dataDir);
  if (server === null) return null;
  const lease = await takeLease(server, signal);
  return lease === null ? null : { server, lease };
}

/**
 * Finds the running server of a data folder or starts one, and takes a lease on it (decisions §2). Rejects
 * with `PORT_BUSY`, `PORT_ALREADY_CHOSEN`, `LOCAL_KINTONE_START_FAILED`, or the reason of the signal.
 */
export async function ensureLocalKintone(options: EnsureOptions): Promise<EnsuredKintone> {
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(START_LIMIT_MS)]);
  for (;;) {
    signal.throwIfAborted();
    const found = await findRunning(options.dataDir, signal);
    if (found !== null) return ensured(found);
    await startServer(options, signal);
    const started = await findRunning(options.dataDir, signal);
    if (started !== null) return ensured(started);
    // The folder is another's, whose server is still starting or already ending: look again, within the limit.
    await pause(LOOK_AGAIN_MS, undefined, { signal });
  }
}

/** The running server of a data folder under a lease, or null when none runs; starts nothing. */
export async function findLocalKintone(dataDir: string, signal: AbortSignal): Promise<EnsuredKintone | null> {
  const found = await findRunning(dataDir, signal);
  return found === null ? null : ensured(found);
}

function ensured({ server, lease }: Found): EnsuredKintone {
  return {
    baseUrl: server.baseUrl,
    port: server.port,
    pid: server.pid,
    provisioner: createProvisioner(server.controlUrl, server.controlToken),
    lost: lease.lost,
    release: () => lease.release(),
  };
}
