import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { cpSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const execute = promisify(execFile);

/** Milliseconds one call of npm may take; a registry that does not answer must not eat the check's budget. */
const NPM_LIMIT_MS = 120_000;

export interface PackageRequest {
  readonly name: string;
  /** Exact version. */
  readonly version: string;
  /** Where to copy `node_modules` to, for a test that adds to it; the shared cache is never changed. */
  readonly folder?: string;
  /** False for the package's own files only: a dependency the registry does not have would fail the install. */
  readonly dependencies?: boolean;
}

export interface InstalledPackage {
  /** Folder of the package itself. */
  readonly path: string;
  /** The `node_modules` it lies in. */
  readonly modules: string;
}

/**
 * A published package from the npm registry, without running its install scripts. Kept under the system's
 * temporary folder by name and version; several processes may ask at once, the first complete copy counts.
 * Throws an error that names the package when npm cannot be reached.
 */
export async function installPackage(request: PackageRequest): Promise<InstalledPackage> {
  const { name, version, folder, dependencies = true } = request;
  const cache = join(tmpdir(), "flownet-npm-cache");
  const key = `${name.replaceAll("/", "+")}@${version}${dependencies ? "" : "-alone"}`;
  const kept = join(cache, key);
  if (!existsSync(kept)) await fill(cache, key, request);
  if (folder === undefined) return placesIn(kept, name);
  cpSync(join(kept, "node_modules"), join(folder, "node_modules"), { recursive: true });
  return placesIn(folder, name);
}

function placesIn(root: string, name: string): InstalledPackage {
  const modules = join(root, "node_modules");
  return { path: join(modules, name), modules };
}

/** Installs beside the final place and renames: nobody ever sees half a package. */
async function fill(cache: string, key: string, request: PackageRequest): Promise<void> {
  const work = join(cache, `.${key}.${process.pid}-${randomBytes(4).toString("hex")}`);
  mkdirSync(work, { recursive: true });
  try {
    if (request.dependencies === false) await unpackAlone(work, request);
    else await installAll(work, request);
    try {
      renameSync(work, join(cache, key));
    } catch (error) {
      if (!existsSync(join(cache, key))) throw error;
    }
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

async function installAll(work: string, { name, version }: PackageRequest): Promise<void> {
  writeFileSync(join(work, "package.json"), JSON.stringify({ private: true }));
  const flags = ["--ignore-scripts", "--no-audit", "--no-fund", "--no-save", "--force"];
  await npm(["install", `${name}@${version}`, ...flags], work, `${name}@${version}`);
}

async function unpackAlone(work: string, { name, version }: PackageRequest): Promise<void> {
  await npm(["pack", `${name}@${version}`, "--silent", "--ignore-scripts"], work, `${name}@${version}`);
  const archive = `${name.replace(/^@/, "").replaceAll("/", "-")}-${version}.tgz`;
  const { path } = placesIn(work, name);
  mkdirSync(path, { recursive: true });
  await execute("tar", ["-xzf", archive, "-C", join("node_modules", name), "--strip-components=1"], {
    cwd: work,
  });
  rmSync(join(work, archive));
}

async function npm(args: readonly string[], cwd: string, asked: string): Promise<void> {
  const script = process.env.npm_execpath;
  const direct = script?.endsWith(".js") === true;
  const [file, before] = direct ? [process.execPath, [script]] : ["npm", []];
  const shell = !direct && process.platform === "win32";
  try {
    await execute(file, [...before, ...args], { cwd, timeout: NPM_LIMIT_MS, shell });
  } catch (error) {
    const detail = error instanceof Error && "stderr" in error ? String(error.stderr).trim() : String(error);
    const last = detail.split("\n").slice(-12).join("\n");
    throw new Error(`${asked} is needed from the npm registry, and npm could not get it:\n${last}`);
  }
}
