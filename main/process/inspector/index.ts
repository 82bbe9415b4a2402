import { createPosixInspector } from "./posix.ts";
import type { SystemInspector } from "./types.ts";
import { createWindowsInspector } from "./windows.ts";

/** The inspector of the system this program runs on. */
export function createInspector(platform: NodeJS.Platform = process.platform): SystemInspector {
  return platform === "win32" ? createWindowsInspector() : createPosixInspector();
}
