import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as after } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { createJournal, readHostFacts, workFolderOf } from "../../main/attempt/index.ts";
import { createInspector, type ProcessIdentity, systemBootId } from "../../main/process/index.ts";

const FAMILY = fileURLToPath(new URL("../fixtures/children/unwilling-family.mjs", import.meta.url));
const inspector = createInspector();

/** A child that outlived the program that started it, with a child of its own. */
export interface Survivor {
  readonly attemptId: string;
  readonly root: ProcessIdentity;
  readonly grandchild: ProcessIdentity;
  /** Whether anything of it lives. */
  living(): boolean;
  end(): void;
}

export interface SurvivorOf {
  /** `journal` of the data folder. */
  readonly journal: string;
  /** Where attempts of the workspace work. */
  readonly workDir: string;
  readonly runId: string;
  readonly nodeId: string;
}

/**
 * Starts a root that ends by no signal it can refuse, and a grandchild in a session of its own that refuses them too,
 * and journals it as a program that was killed right after: spawned in this boot, and never ended.
 */
export async function leaveSurvivor({
  journal: folder,
  workDir,
  runId,
  nodeId,
}: SurvivorOf): Promise<Survivor> {
  const attemptId = `attempt_${randomUUID()}`;
  const work = workFolderOf(workDir, attemptId);
  await mkdir(work.cwd, { recursive: true });
  const ready = join(work.root, "grandchild");
  await mkdir(dirname(ready), { recursive: true });
  const child: ChildProcess = spawn(process.execPath, [FAMILY, ready], {
    cwd: work.cwd,
    env: { FLOWNET_ATTEMPT_ID: attemptId },
    detached: true,
    stdio: "ignore",
  });
  child.unref();
  const giveUp = AbortSignal.timeout(30_000);
  while (!existsSync(ready) || readFileSync(ready, "utf8") === "")
    await after(10, undefined, { signal: giveUp });
  const root = known(child.pid ?? 0);
  const grandchild = known(Number(readFileSync(ready, "utf8")));
  const journal = createJournal({
    folder,
    hostFacts: readHostFacts(systemBootId),
    clock: { nowMs: () => Date.now() },
    ids: { uuid: randomUUID },
  });
  await journal.append({ event: "intent", attemptId, runId, nodeId, jobId: "job", attemptNo: 1 });
  await journal.append({ event: "spawned", attemptId, process: root });
  await journal.dispose();
  return {
    attemptId,
    root,
    grandchild,
    living: () => [root, grandchild].some((each) => inspector.liveness(each).kind === "alive-ours"),
    end() {
      for (const each of [root, grandchild]) inspector.end(each);
    },
  };
}

function known(pid: number): ProcessIdentity {
  const identity = inspector.identify(pid);
  if (identity === null) throw new Error(`process ${pid} is not there`);
  return identity;
}
