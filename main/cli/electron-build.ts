import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

type Env = Readonly<Record<string, string | undefined>>;

/** One try to download may take this long, in milliseconds (decisions section 2). */
const INSTALL_LIMIT_MS = 120_000;

/** Where the package `electron` is installed, or null in an installation without development packages. */
export function electronPackage(): string | null {
  try {
    return dirname(createRequire(import.meta.url).resolve("electron/package.json"));
  } catch {
    return null;
  }
}

/**
 * Electron's executable, when its build is unpacked: in the package, or where `ELECTRON_OVERRIDE_DIST_PATH` says. The
 * package's own main module is never asked: it would download.
 */
export function findElectron(folder: string | null, env: Env, platform: NodeJS.Platform): string | null {
  const override = env.ELECTRON_OVERRIDE_DIST_PATH ?? "";
  if (folder === null && override === "") return null;
  const dist = override === "" ? join(folder ?? "", "dist") : override;
  const executable = join(dist, executableName(folder, platform));
  return existsSync(executable) ? executable : null;
}

/** As the package wrote it down at its download; by the platform where there was none. */
function executableName(folder: string | null, platform: NodeJS.Platform): string {
  try {
    return readFileSync(join(folder ?? "", "path.txt"), "utf8").trim();
  } catch {
    if (platform === "win32") return "electron.exe";
    return platform === "darwin" ? join("Electron.app", "Contents", "MacOS", "Electron") : "electron";
  }
}

/** Runs the package's own download once, with its output shown and a limit. Never throws. */
export async function installElectron(
  folder: string | null,
  signal: AbortSignal,
): Promise<"installed" | "failed" | "timed-out"> {
  if (folder === null) return "failed";
  const limit = AbortSignal.timeout(INSTALL_LIMIT_MS);
  const child = spawn(process.execPath, [join(folder, "install.js"), "--no"], {
    stdio: ["ignore", "inherit", "inherit"],
    windowsHide: true,
    signal: AbortSignal.any([limit, signal]),
  });
  const code = await new Promise<number | null>((resolve) => {
    child.once("error", () => resolve(null));
    child.once("close", resolve);
  });
  if (code === 0) return "installed";
  return limit.aborted ? "timed-out" : "failed";
}

/**
 * Runs the desktop program in Electron until it ends; answers its exit code, 1 when it could not start. Children of
 * the program run on the Node that runs this one.
 */
export async function runDesktop(
  electron: string,
  root: string,
  args: readonly string[],
  env: Env,
  signal: AbortSignal,
): Promise<number> {
  const { ELECTRON_RUN_AS_NODE: _, ...inherited } = env;
  const child = spawn(electron, [root, ...args], {
    stdio: "inherit",
    env: { ...inherited, FLOWNET_NODE: process.execPath },
  });
  const stop = (): void => void child.kill("SIGTERM");
  signal.addEventListener("abort", stop, { once: true });
  try {
    return await new Promise<number>((resolve) => {
      child.once("error", () => resolve(1));
      child.once("close", (code) => resolve(code ?? 1));
    });
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
