import { randomBytes } from "node:crypto";
import { createLocalKintone, type LocalKintone } from "./create.ts";
import type { FaultOptions } from "./faults/options.ts";
import { type FaultStart, faultOptions, openFaultControl } from "./faults/process-form.ts";
import type { Clock, IdSource } from "./model.ts";
import { startControl } from "./process/control.ts";
import { takeFolderLock } from "./process/folder-lock.ts";
import { createLeases } from "./process/leases.ts";
import { listenOnKeptPort } from "./process/port-choice.ts";
import { processStart } from "./process/process-start.ts";
import {
  kintonePaths,
  makeFolders,
  removeServerFile,
  type ServerFile,
  writeAtomically,
} from "./process/server-file.ts";
import { createWorkspaces } from "./process/workspaces.ts";

export interface LocalKintoneProcessOptions {
  readonly dataDir: string;
  readonly clock: Clock;
  /** Port wished for a folder that has none yet; null chooses a free one. */
  readonly port: number | null;
  /** Milliseconds without a lease before the server ends; null never ends. */
  readonly idleMs: number | null;
  readonly synchronous: "FULL" | "NORMAL";
  /** Makes the server able to fail on command, controlled over a port of its own (kintone-rest §19). */
  readonly faults?: FaultStart;
  /** One line for the log of the process; never a token. */
  log(line: string): void;
}

export interface LocalKintoneProcess {
  readonly server: ServerFile;
  /** Settles when the server has ended, by idleness, by `stop` or by the control port. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

const systemIds: IdSource = { random: (bytes) => randomBytes(bytes) };

/**
 * Runs the server of a data folder in this process, or answers null when another process already does
 * (decisions §2). Rejects with `PORT_BUSY`, `PORT_ALREADY_CHOSEN`, `PORT_FILE_INVALID`.
 */
export async function startLocalKintoneProcess(
  options: LocalKintoneProcessOptions,
): Promise<LocalKintoneProcess | null> {
  const { dataDir } = options;
  makeFolders(dataDir);
  const lock = takeFolderLock(dataDir);
  if (lock === null) return null;
  const cleanups: (() => Promise<void> | void)[] = [() => lock.release()];
  let ending: Promise<void> | null = null;
  const ended = Promise.withResolvers<void>();
  async function end(reason: string): Promise<void> {
    options.log(`ending: ${reason}`);
    // In reverse order of creation: the server file goes first, the folder lock last.
    for (const cleanup of cleanups.reverse()) await cleanup();
    ended.resolve();
  }
  const stop = (reason: string): Promise<void> => {
    ending ??= end(reason);
    return ending;
  };
  try {
    const server = await start(options, cleanups, (reason) => {
      stop(reason).catch(ended.reject);
    });
    options.log(`listening on ${server.baseUrl}`);
    return { server, ended: ended.promise, stop: () => stop("asked to stop") };
  } catch (error) {
    await stop("the start failed");
    throw error;
  }
}

async function start(
  options: LocalKintoneProcessOptions,
  cleanups: (() => Promise<void> | void)[],
  stop: (reason: string) => void,
): Promise<ServerFile> {
  const { dataDir, clock } = options;
  const onFailure = (error: unknown): void =>
    options.log(`failure: ${error instanceof Error ? error.message : "unknown"}`);
  const open = (databasePath: string, faults?: FaultOptions): LocalKintone =>
    createLocalKintone({
      databasePath,
      ...(faults === undefined ? {} : { faults }),
      clock,
      ids: systemIds,
      synchronous: options.synchronous,
      onFailure,
    });
  const kintone = open(
    kintonePaths(dataDir).database,
    options.faults === undefined ? undefined : faultOptions(options.faults, clock, options.log),
  );
  cleanups.push(() => kintone.dispose());
  const workspaces = createWorkspaces({ dataDir, main: kintone, open: (path) => open(path), onFailure });
  cleanups.push(() => workspaces.dispose());
  const listening = await listenOnKeptPort(workspaces.handle, systemIds, dataDir, options.port);
  cleanups.push(() => listening.close());
  const { port } = listening;
  const leases = createLeases(options.idleMs, () => stop("no lease is left"));
  cleanups.push(() => leases.dispose());
  const controlToken = randomBytes(32).toString("base64url");
  const control = await startControl({
    token: controlToken,
    leases,
    provision: kintone.provision,
    workspaces,
    place: dataDir,
    status: () => ({ pid: process.pid, baseUrl: baseUrlOf(port) }),
    stop: () => stop("asked over the control port"),
  });
  cleanups.push(() => control.close());
  if (kintone.faults !== null) {
    await kintone.faults.addPort(listening, null);
    const faultControl = await openFaultControl(kintone.faults, dataDir);
    cleanups.push(() => faultControl.close());
  }
  const server = describeServer(clock, port, { url: control.url, token: controlToken });
  writeAtomically(kintonePaths(dataDir).server, server);
  cleanups.push(() => removeServerFile(dataDir, controlToken));
  return server;
}

/** `localhost`, because the official client accepts no other plain-HTTP host (kintone-rest §1.1). */
const baseUrlOf = (port: number): string => `http://localhost:${port}`;

function describeServer(
  clock: Clock,
  port: number,
  control: { readonly url: string; readonly token: string },
): ServerFile {
  return {
    kind: "LOCAL_KINTONE_SERVER",
    formatVersion: 1,
    pid: process.pid,
    processStart: processStart(process.pid),
    port,
    baseUrl: baseUrlOf(port),
    startedAt: new Date(clock.now()).toISOString(),
    controlUrl: control.url,
    controlToken: control.token,
  };
}
