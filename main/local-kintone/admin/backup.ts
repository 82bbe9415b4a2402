import { statSync } from "node:fs";
import { backup, DatabaseSync } from "node:sqlite";
import { z } from "zod";
import { FlowError } from "../../../shared/domain/problem.ts";
import { openSnapshot } from "../storage/database.ts";
import { countAll } from "./counts.ts";
import { writeWhole } from "./written-file.ts";

export const backupResultSchema = z.object({
  kind: z.literal("LOCAL_KINTONE_BACKUP"),
  formatVersion: z.literal(1),
  path: z.string(),
  bytes: z.number(),
  databaseId: z.string(),
  apps: z.number(),
  records: z.number(),
  files: z.number(),
});
export type BackupResult = z.output<typeof backupResultSchema>;

/** Pages copied at a time. */
const RATE = 2_000;

/**
 * Copies a store, served or not, to a new file that can take its place: everything up to one moment, tokens included
 * (so the copy is closed to other accounts). The copy is checked before it gets its name. Rejects with
 * `TARGET_EXISTS`, `BACKUP_DAMAGED`, `LAYOUT_NEWER`, and what SQLite rejects with.
 */
export async function backupStore(source: string, target: string): Promise<BackupResult> {
  // A moment held open: the copy is not begun anew with every write of the server.
  const store = openSnapshot(source, "any-layout");
  try {
    return await writeWhole(target, async (part) => {
      await backup(store.handle, part, { rate: RATE });
      requireSound(part);
      return {
        kind: "LOCAL_KINTONE_BACKUP",
        formatVersion: 1,
        path: target,
        bytes: statSync(part).size,
        databaseId: store.id,
        ...countAll(store),
      };
    });
  } finally {
    store.close();
  }
}

function requireSound(path: string): void {
  const handle = new DatabaseSync(path);
  try {
    const found = handle.prepare("PRAGMA quick_check(1)").get()?.quick_check;
    // So that the copy is one file: nothing of it may stand in a log beside it.
    handle.prepare("PRAGMA journal_mode = DELETE").get();
    if (found === "ok") return;
    throw new FlowError({
      code: "BACKUP_DAMAGED",
      message: `The copy is not sound: ${String(found)}. It was removed.`,
      place: path,
      remedy: "Check the store itself: flownet local-kintone check",
    });
  } finally {
    handle.close();
  }
}
