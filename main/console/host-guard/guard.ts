import { mkdir, realpath } from "node:fs/promises";
import { hostname } from "node:os";
import { resolve } from "node:path";
import { FlowError } from "../../../shared/domain/problem.ts";
import { type HostFacts, readHostFacts } from "../../attempt/index.ts";
import { createInspector, type ProcessInspector, systemBootId } from "../../process/index.ts";
import { systemClock } from "../clock.ts";
import { sessionAccount } from "../roles.ts";
import { ask, type Endpoint, endpointName, takeEndpoint } from "./endpoint.ts";
import { judgeRecord } from "./judge.ts";
import {
  parseOwner,
  type ResidentFront,
  type ResidentOwner,
  readRecord,
  recordPath,
  removeRecord,
  writeRecord,
} from "./record.ts";
import { alreadyRunning, ownerUnknown } from "./refusal.ts";

/** Held as long as a resident program works in a data folder. */
export interface HostGuard {
  /** What everybody who comes meanwhile is told. */
  readonly owner: ResidentOwner;
  /** The owner before this one when it did not end in order and was proven dead; null otherwise. */
  readonly takenOverFrom: ResidentOwner | null;
  dispose(): Promise<void>;
}

export interface GuardOptions {
  /** Absolute. */
  readonly dataDir: string;
  readonly front: ResidentFront;
  /** What the inspector of this system and its facts say, unless a test tells otherwise. */
  readonly inspector?: ProcessInspector;
  readonly facts?: HostFacts;
}

/**
 * Makes this process the one resident of a data folder on this host, whatever account the others run as (decisions
 * section 2). Two proofs have to agree: a name of the kernel nobody else holds, which a kill frees, and the record of
 * the owner before, proven dead by its identity. One-shot commands never come here. Errors as `FlowError`:
 * `RESIDENT_ALREADY_RUNNING`, `RESIDENT_OWNER_UNKNOWN`, `DATA_DIR_UNUSABLE`, `DATA_FILE_WRITE_FAILED`.
 */
export async function takeHostGuard(options: GuardOptions): Promise<HostGuard> {
  const { dataDir, front } = options;
  const facts = options.facts ?? readHostFacts(systemBootId);
  const inspector = options.inspector ?? createInspector();
  const owner = ownerNow(front, facts, inspector);
  const name = endpointName(await realFolder(dataDir));
  const path = recordPath(dataDir, hostname());
  // Asked before it is taken: where a system lets two processes listen on one pipe, the first still answers alone.
  const holder = parseOwner((await ask(name)) ?? "");
  if (holder !== null) throw alreadyRunning(dataDir, holder);
  const endpoint = await takeEndpoint(name, () => `${JSON.stringify(owner)}\n`);
  if (endpoint === null) throw alreadyRunning(dataDir, await holderOf(name, path));
  try {
    const left = judgeRecord(await readRecord(path), facts, process.pid, inspector);
    if (left.kind === "alive") throw alreadyRunning(dataDir, left.owner);
    if (left.kind === "cannot-tell") throw ownerUnknown(path, left.owner, left.reason);
    await writeRecord(path, owner);
    const takenOverFrom = left.kind === "dead" ? left.owner : null;
    return { owner, takenOverFrom, dispose: () => release(path, endpoint) };
  } catch (error) {
    await endpoint.close();
    throw error;
  }
}

/** The record first: between the two a newcomer is refused, never let in beside a record that still names us. */
async function release(path: string, endpoint: Endpoint): Promise<void> {
  try {
    await removeRecord(path);
  } finally {
    await endpoint.close();
  }
}

function ownerNow(front: ResidentFront, facts: HostFacts, inspector: ProcessInspector): ResidentOwner {
  const self = inspector.identify(process.pid);
  return {
    kind: "FLOWNET_RESIDENT",
    formatVersion: 1,
    ...facts,
    account: sessionAccount(),
    front,
    since: new Date(systemClock.nowMs()).toISOString(),
    process: {
      pid: process.pid,
      processStart: self?.processStart ?? null,
      image: self?.image ?? process.execPath,
    },
  };
}

/** Asked first, because another account may not be allowed to read the file. */
async function holderOf(name: string, path: string): Promise<ResidentOwner | null> {
  const told = parseOwner((await ask(name)) ?? "");
  if (told !== null) return told;
  const found = await readRecord(path);
  return found.kind === "owner" ? found.owner : null;
}

/** One folder has one name, whichever link led there. One that may not be looked into keeps the name it was given. */
async function realFolder(dataDir: string): Promise<string> {
  const given = resolve(dataDir);
  try {
    await mkdir(given, { recursive: true, mode: 0o700 });
    return await realpath(given);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "EACCES" || code === "EPERM") return given;
    throw new FlowError(
      {
        code: "DATA_DIR_UNUSABLE",
        message: `The data folder cannot be used: ${error instanceof Error ? error.message : String(error)}`,
        place: given,
        remedy: "Name a folder this account may write to with --data-dir, or free space on its disk.",
      },
      error,
    );
  }
}
