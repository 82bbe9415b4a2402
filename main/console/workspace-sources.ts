import { join } from "node:path";
import { sha256Hex } from "../../shared/domain/hash.ts";
import { getRecords, type ReadDeps, requireValue, sendRead } from "../kintone-client/index.ts";
import type { Clock } from "../store/index.ts";
import { type DataDir, writePrivateFile } from "./data-dir.ts";
import type { Connection } from "./environment.ts";
import type { Probe, ProbedSource } from "./live-model-ports.ts";
import { createPictureFile } from "./picture-file.ts";
import type { Workspace } from "./ports.ts";
import { createRequestLedger } from "./request-ledger.ts";
import { readTextFile } from "./workspace-config.ts";

/** What the live picture of a connection is made from and kept in: apps, the day's requests, the kept picture. */
export function createSources(
  connection: Connection,
  dataDir: DataDir,
  clock: Clock,
): Pick<Workspace, "apps" | "requests" | "keptPicture"> {
  const { profile, baseUrl, state, audit, jobLog, request } = connection;
  // Each workspace of a data folder has files of its own; its name may hold what a file name may not.
  const place = sha256Hex(JSON.stringify([baseUrl, profile])).slice(0, 12);
  const file = (name: string) => {
    const path = join(dataDir.root, `${name}-${place}.json`);
    return {
      read: () => readTextFile(path),
      write: (text: string) => writePrivateFile(path, text),
    };
  };
  return {
    apps: new Map([
      ["state", state.appId],
      ["audit", audit.appId],
      ["jobLog", jobLog.appId],
      ...(request === null ? [] : [["request", request.appId] as const]),
    ]),
    requests: createRequestLedger({ baseUrl, clock, ...file("requests") }),
    keptPicture: createPictureFile({ baseUrl, profile, ...file("picture") }),
  };
}

/** Asks an app for one id: enough to know that it answers and may be read. */
export function createProbes(deps: ReadDeps, apps: Workspace["apps"]): ReadonlyMap<ProbedSource, Probe> {
  const probes = new Map<ProbedSource, Probe>();
  for (const [source, app] of apps) {
    if (source === "state") continue;
    probes.set(source, async (signal) => {
      const newest = getRecords(app, "order by $id desc limit 1", ["$id"]);
      requireValue(await sendRead(deps, newest, { signal }), `ask the ${source} app`);
    });
  }
  return probes;
}

/** Does a check until it succeeded once; at once ready without one. */
export function readyOnce(check: ((signal?: AbortSignal) => Promise<void>) | undefined): Workspace["ready"] {
  let done = check === undefined;
  return async (signal) => {
    if (done) return;
    await check?.(signal);
    done = true;
  };
}
