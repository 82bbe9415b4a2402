import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

const PACKAGE = join(import.meta.dirname, "..", "..", "..", "node_modules", "electron");

/** Electron's executable on this machine, or null: its build is downloaded apart from the package. */
export function electronExecutable(): string | null {
  const pathFile = join(PACKAGE, "path.txt");
  const usual = process.platform === "win32" ? "electron.exe" : "electron";
  const name = existsSync(pathFile) ? readFileSync(pathFile, "utf8") : usual;
  const executable = join(process.env.ELECTRON_OVERRIDE_DIST_PATH || join(PACKAGE, "dist"), name);
  return existsSync(executable) ? executable : null;
}
