import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The product's version, from the one place that states it. Throws when the program's own files are broken. */
export function readVersion(): string {
  const text = readFileSync(join(import.meta.dirname, "..", "..", "package.json"), "utf8");
  const manifest: unknown = JSON.parse(text);
  if (typeof manifest === "object" && manifest !== null && "version" in manifest)
    return String(manifest.version);
  throw new Error("package.json states no version");
}
