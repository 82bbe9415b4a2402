import { statfsSync } from "node:fs";
import { arch, platform, release } from "node:os";
import { DatabaseSync } from "node:sqlite";
import type { Manifest } from "../documents/manifest-schema.ts";

/** Numbers Linux gives its file systems; anything else is written as the number itself. */
const FILESYSTEMS: Readonly<Record<number, string>> = {
  61267: "ext",
  1481003842: "xfs",
  2435016766: "btrfs",
  16914836: "tmpfs",
  2035054128: "overlayfs",
  26985: "nfs",
};

/** Facts about where a run happens; no host name, no user name, no path (retry-boundaries §8). */
export function environmentOf(folder: string): Manifest["environment"] {
  return {
    os: platform(),
    release: release(),
    arch: arch(),
    runtime: "node",
    runtime_version: process.version,
    sqlite_version: sqliteVersion(),
    binding: "node:sqlite",
    binding_version: process.version,
    filesystem_type: filesystemOf(folder),
  };
}

function sqliteVersion(): string {
  const database = new DatabaseSync(":memory:");
  try {
    return String(database.prepare("SELECT sqlite_version() AS version").get()?.version);
  } finally {
    database.close();
  }
}

function filesystemOf(folder: string): string | null {
  // Windows answers 0 here.
  const { type } = statfsSync(folder);
  return type === 0 ? null : (FILESYSTEMS[type] ?? `0x${type.toString(16)}`);
}
