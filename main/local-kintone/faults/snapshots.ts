import { chmodSync, copyFileSync, existsSync, mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { FlowError } from "../../../shared/domain/problem.ts";
import type { ServerCore } from "./core.ts";

/** Copies of the whole store, revisions and files included (kintone-rest §19, F30). */
export interface Snapshots {
  /** Replaces a snapshot of the same name. */
  take(name: string): void;
  /** Puts the store back; throws FlowError `SNAPSHOT_UNKNOWN`. */
  restore(name: string): void;
}

function needsFile(): FlowError {
  return new FlowError({
    code: "SNAPSHOT_NEEDS_FILE",
    message: "A store in memory has no file a snapshot could be taken of.",
    remedy: "Give the server a database file.",
  });
}

function unknown(name: string): FlowError {
  return new FlowError({
    code: "SNAPSHOT_UNKNOWN",
    message: `There is no snapshot "${name}".`,
    place: name,
    remedy: "Take it first.",
  });
}

/** Creates the snapshots of a store; they stand beside its file, closed to other accounts. */
export function createSnapshots(core: ServerCore): Snapshots {
  function fileOf(name: string): string {
    const { path } = core.services().database;
    if (path === ":memory:") throw needsFile();
    const folder = join(dirname(path), "fault-snapshots");
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return join(folder, `${name}.sqlite`);
  }
  return {
    take(name) {
      const file = fileOf(name);
      rmSync(file, { force: true });
      core.services().database.sql("VACUUM INTO ?").run(file);
      chmodSync(file, 0o600);
    },
    restore(name) {
      const file = fileOf(name);
      if (!existsSync(file)) throw unknown(name);
      core.whileClosed((path) => {
        // What the log still held belongs to the store that is given up.
        for (const suffix of ["-wal", "-shm"]) rmSync(`${path}${suffix}`, { force: true });
        copyFileSync(file, path);
      });
    },
  };
}
