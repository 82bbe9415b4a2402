import { createHash } from "node:crypto";
import { isAbsolute, join, resolve } from "node:path";

export interface StartOptions {
  /** Absolute; null leaves the choice to the console. */
  readonly dataDir: string | null;
  readonly softwareRendering: boolean;
}

/** What the desktop program takes from its command line; what it does not know belongs to the shell and is left. */
export function startOptions(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  cwd: string,
): StartOptions {
  const at = argv.indexOf("--data-dir");
  const given = at < 0 ? undefined : argv[at + 1];
  return {
    dataDir: given === undefined ? null : isAbsolute(given) ? given : resolve(cwd, given),
    // Blank windows are known under remote desktop and without a graphics processor (electron-desktop L11).
    softwareRendering: argv.includes("--software-rendering") || (env.SESSIONNAME ?? "").startsWith("RDP-"),
  };
}

/** Folder of this account's own things; another data folder is another console and gets another one (L1). */
export function userDataFolder(appData: string, dataDir: string | null): string {
  const base = join(appData, "FlowNetConsole");
  if (dataDir === null) return base;
  return join(base, createHash("sha256").update(dataDir).digest("hex").slice(0, 16));
}

/** What decides which Node children run on. */
export interface ChildNodeFacts {
  readonly execPath: string;
  readonly inElectron: boolean;
  readonly packaged: boolean;
  readonly resourcesPath: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
}

/**
 * The Node every child runs on (decisions §1): the bundled one of an installed console, the starter's in
 * development. Never the application's own file: with `runAsNode` off it would open a second window. Null when there
 * is none.
 */
export function childNode(facts: ChildNodeFacts): string | null {
  if (!facts.inElectron) return facts.execPath;
  if (!facts.packaged) return facts.env.FLOWNET_NODE || null;
  if (facts.resourcesPath === undefined) return null;
  return join(facts.resourcesPath, "node", facts.platform === "win32" ? "node.exe" : "node");
}
