import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The version of this program, from the one place that states it; `unknown` where its files do not tell. */
export function programVersion(): string {
  try {
    const text = readFileSync(join(import.meta.dirname, "..", "..", "package.json"), "utf8");
    const manifest: unknown = JSON.parse(text);
    const stated = typeof manifest === "object" && manifest !== null && "version" in manifest;
    return stated ? String(manifest.version) : "unknown";
  } catch {
    return "unknown";
  }
}
