/** `npm run layers`: refuses imports that architecture section 3 forbids (docs/layering.md). */
import { readdirSync, readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { checkLayers } from "./layers/check.ts";
import type { SourceFile } from "./layers/model.ts";

const root = join(import.meta.dirname, "..");
const FOLDERS = ["shared", "main", "renderer", "tests", "tools"];

function sourcesIn(folder: string): readonly SourceFile[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !entry.name.endsWith(".d.ts"))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.includes(`${sep}node_modules${sep}`))
    .map((path) => ({
      path: relative(root, path).split(sep).join("/"),
      text: readFileSync(path, "utf8"),
    }));
}

const configuration = readdirSync(root)
  .filter((name) => name.endsWith(".config.ts"))
  .map((name) => ({ path: name, text: readFileSync(join(root, name), "utf8") }));
const sources = [...FOLDERS.flatMap((folder) => sourcesIn(join(root, folder))), ...configuration];
const violations = checkLayers(sources);
for (const { path, line, rule, message } of violations) console.error(`${path}:${line} [${rule}] ${message}`);
console.log(`layering: ${sources.length} files, ${violations.length} violations`);
process.exitCode = violations.length === 0 ? 0 : 1;
