import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

const NAMES = [
  "chromium",
  "chromium-browser",
  "google-chrome",
  "google-chrome-stable",
  "msedge",
  "microsoft-edge",
];
const WINDOWS_PLACES = [
  "Google\\Chrome\\Application\\chrome.exe",
  "Microsoft\\Edge\\Application\\msedge.exe",
];

function runnable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** A Chromium of this machine: `CHROMIUM_PATH`, then `PATH`, then where Windows keeps Chrome and Edge. No download. */
function chromiumPath(): string {
  const named = process.env.CHROMIUM_PATH;
  if (named) return named;
  const folders = (process.env.PATH ?? "").split(delimiter);
  const onPath = folders.flatMap((folder) => NAMES.map((name) => join(folder, name)));
  const programs = [process.env.ProgramFiles, process.env["ProgramFiles(x86)"]].filter(
    (each) => each !== undefined,
  );
  const onWindows = programs.flatMap((folder) => WINDOWS_PLACES.map((place) => join(folder, place)));
  const found = [...onPath, ...onWindows].find(runnable);
  if (found !== undefined) return found;
  throw new Error("No Chromium, Chrome or Edge found: set CHROMIUM_PATH (toolchain, section 8).");
}

/** How the browser of this machine is started. Throws when there is none. */
export function chromiumOptions(): { readonly executablePath: string; readonly args: string[] } {
  // A browser refuses its sandbox to root, which is what a container runs as.
  const args = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  return { executablePath: chromiumPath(), args };
}
