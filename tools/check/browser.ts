import { spawnSync } from "node:child_process";
import { accessSync, constants, existsSync } from "node:fs";
import { delimiter, join } from "node:path";

export type BrowserOutcome =
  | { readonly kind: "found"; readonly path: string; readonly how: string }
  /** No browser, and why; `remedy` is the exact instruction. */
  | { readonly kind: "missing"; readonly reason: string; readonly remedy: string };

/** What the finder asks of the machine; injected so that every branch has a test. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly isRoot: boolean;
  readonly isExecutable: (path: string) => boolean;
  /** Runs a program to its end with its output shown; answers its exit code, null when it could not start. */
  readonly run: (command: string, args: readonly string[]) => number | null;
  /** Where Playwright keeps its own Chromium; null when there is none. */
  readonly playwrightChromium: () => string | null;
}

const POSIX_NAMES = [
  "chromium",
  "chromium-browser",
  "google-chrome",
  "google-chrome-stable",
  "chrome",
  "microsoft-edge",
];
const MAC_PATHS = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
];
const WINDOWS_PATHS = [
  ["Google", "Chrome", "Application", "chrome.exe"],
  ["Chromium", "Application", "chrome.exe"],
  ["Microsoft", "Edge", "Application", "msedge.exe"],
];

/**
 * An installed Chromium, Chrome or Edge; else one that is installed now: Debian's as root, Playwright's own
 * otherwise. Never throws.
 */
export function findOrInstallBrowser(machine: Machine): BrowserOutcome {
  const named = machine.env.CHROMIUM_PATH ?? "";
  if (named !== "") {
    if (machine.isExecutable(named)) return { kind: "found", path: named, how: "CHROMIUM_PATH" };
    const remedy = "Correct CHROMIUM_PATH or unset it.";
    return { kind: "missing", reason: `CHROMIUM_PATH names ${named}, which cannot be run`, remedy };
  }
  return installed(machine) ?? installNow(machine);
}

function installed(machine: Machine): BrowserOutcome | null {
  const path = candidates(machine).find(machine.isExecutable) ?? machine.playwrightChromium();
  return path === null || path === undefined ? null : { kind: "found", path, how: "installed" };
}

function candidates(machine: Machine): readonly string[] {
  if (machine.platform === "win32") {
    const roots = ["ProgramFiles", "ProgramFiles(x86)", "LOCALAPPDATA"].map(
      (name) => machine.env[name] ?? "",
    );
    return roots
      .filter((root) => root !== "")
      .flatMap((root) => WINDOWS_PATHS.map((parts) => join(root, ...parts)));
  }
  const folders = (machine.env.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
  const onPath = POSIX_NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  return machine.platform === "darwin" ? [...MAC_PATHS, ...onPath] : onPath;
}

const APT_PACKAGES = ["chromium", "fonts-noto-cjk"];

function installNow(machine: Machine): BrowserOutcome {
  const debian = machine.isExecutable("/usr/bin/apt-get");
  if (debian && machine.isRoot) {
    const options = ["-y", "--no-install-recommends"];
    const ready =
      machine.run("apt-get", ["update"]) === 0 &&
      machine.run("apt-get", ["install", ...options, ...APT_PACKAGES]) === 0;
    const found = ready ? installed(machine) : null;
    if (found !== null) return found;
  }
  const cli = join("node_modules", "@playwright", "test", "cli.js");
  if (machine.run(process.execPath, [cli, "install", "chromium"]) === 0) {
    const path = machine.playwrightChromium();
    if (path !== null) return { kind: "found", path, how: "installed by Playwright" };
  }
  const remedy = debian
    ? `As root: apt-get install -y --no-install-recommends ${APT_PACKAGES.join(" ")}`
    : "Install Chromium, Chrome or Edge, or name one in CHROMIUM_PATH.";
  return {
    kind: "missing",
    reason: "no Chromium, Chrome or Edge was found and none could be installed",
    remedy,
  };
}

/** This machine. */
export function thisMachine(playwrightChromium: () => string | null): Machine {
  return {
    platform: process.platform,
    env: process.env,
    isRoot: process.getuid?.() === 0,
    isExecutable,
    run: (command, args) => spawnSync(command, [...args], { stdio: "inherit" }).status,
    playwrightChromium: () => {
      const path = playwrightChromium();
      return path !== null && existsSync(path) ? path : null;
    },
  };
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
