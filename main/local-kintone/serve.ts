/**
 * Entry of the local kintone's own process: `node serve.ts --data-dir D [--port P] [--resident] [--json] [--control
 * [--fault-rules FILE] [--fault-journal FILE]]`. `--control` opens the port over which faults are set
 * (docs/local-kintone-faults.md); it is told in `kintone/control.json` (mode 0600) and nowhere else.
 * A start that finds another server on the folder ends with exit code 0 and leaves it alone.
 */
import { mkdirSync } from "node:fs";
import { enableCompileCache } from "node:module";
import { join } from "node:path";

/** Where a start finds what the one before it compiled: more than half of a start's work. */
function keepCompiled(dataDir: string): void {
  try {
    const folder = join(dataDir, "kintone");
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    enableCompileCache(join(folder, "compile-cache"));
  } catch {
    // A folder that cannot be made is told by the server itself, which needs it for more than this.
  }
}

const named = process.argv.indexOf("--data-dir");
const dataDir = named < 0 ? undefined : process.argv[named + 1];
if (dataDir !== undefined && dataDir !== "") keepCompiled(dataDir);
// Only now: what is imported before would not be kept.
await import("./serve-main.ts");
