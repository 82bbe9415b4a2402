import { spawn } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

type Env = Readonly<Record<string, string | undefined>>;

/** How a page is opened on this host; null where there is no browser to be seen (a server without a display). */
export function browserCommand(
  platform: NodeJS.Platform,
  env: Env,
  target: string,
): { readonly command: string; readonly args: readonly string[] } | null {
  if (platform === "win32") {
    const system = env.SystemRoot ?? "C:\\Windows";
    return {
      command: join(system, "System32", "rundll32.exe"),
      args: ["url.dll,FileProtocolHandler", target],
    };
  }
  if (platform === "darwin") return { command: "/usr/bin/open", args: [target] };
  const display = (env.DISPLAY ?? "") !== "" || (env.WAYLAND_DISPLAY ?? "") !== "";
  return display ? { command: "xdg-open", args: [target] } : null;
}

/**
 * A page that leads to the link. The link carries a one-time token, and command lines can be read by every
 * account of the host: so the browser is given this file, readable by its owner alone, and not the link.
 */
export function signpost(link: string): string {
  const escaped = link.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
  return `<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0;url=${escaped}"><title>FlowNet</title>\n`;
}

/** Starts the browser and does not wait for it; answers false when it provably did not start. */
export function openInBrowser(file: string, env: Env): Promise<boolean> {
  const chosen = browserCommand(process.platform, env, pathToFileURL(file).href);
  if (chosen === null) return Promise.resolve(false);
  return new Promise((resolve) => {
    const child = spawn(chosen.command, [...chosen.args], { detached: true, stdio: "ignore" });
    child.once("error", () => resolve(false));
    child.once("spawn", () => {
      child.unref();
      resolve(true);
    });
  });
}
