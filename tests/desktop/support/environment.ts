import { join } from "node:path";

/** What a program needs to run at all; nothing of the machine's own FlowNet settings reaches a test. */
const INHERITED = "PATH HOME LANG SystemRoot USERPROFILE CHROMIUM_PATH DISPLAY ProgramFiles".split(" ");

/** The environment of a program whose own folders lie in the test's. */
export function programEnvironment(folder: string): Record<string, string> {
  const inherited = INHERITED.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  const own = join(folder, "account");
  return {
    ...Object.fromEntries(inherited),
    APPDATA: own,
    XDG_CONFIG_HOME: own,
    FLOWNET_NODE: process.execPath,
    // A program that is killed leaves its temporary files behind: they go with the test's folder.
    TMPDIR: folder,
    TEMP: folder,
    TMP: folder,
  };
}
