import { statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import type { Compacted } from "../process/control-contract.ts";
import { refuseNewer } from "../storage/schema.ts";

/**
 * Writes the file anew without its unused space, then empties its log into it. Needs about the file's size as free
 * space; a run cut short leaves the file as it was. Throws what SQLite throws, and `LAYOUT_NEWER`.
 */
export function compactStore(path: string): Compacted {
  refuseNewer(path);
  const handle = new DatabaseSync(path);
  try {
    handle.exec("PRAGMA busy_timeout = 5000");
    const truncate = (): void => {
      handle.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get();
    };
    truncate();
    const bytesBefore = statSync(path).size;
    handle.exec("VACUUM");
    truncate();
    const bytesAfter = statSync(path).size;
    return { kind: "LOCAL_KINTONE_COMPACTED", formatVersion: 1, path, bytesBefore, bytesAfter };
  } finally {
    handle.close();
  }
}
