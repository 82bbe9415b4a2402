import { EventEmitter } from "node:events";
import { homedir } from "node:os";
import { join } from "node:path";
import type { App } from "electron";
import { launchBrowser } from "./browser.ts";
import { answerRequest, host } from "./host.ts";
import { claimInstance } from "./instance.ts";
import { report } from "./report.ts";
import { strict, unimplemented } from "./strict.ts";
import { preventable } from "./window.ts";

const events = new EventEmitter();
const folders = new Map<string, string>([
  ["appData", process.env.APPDATA ?? process.env.XDG_CONFIG_HOME ?? join(homedir(), ".config")],
]);
let ready: Promise<void> | null = null;

function folder(name: string): string {
  return folders.get(name) ?? unimplemented(`app.getPath("${name}")`);
}

async function becomeReady(): Promise<void> {
  const browser = await launchBrowser();
  host.browser = browser;
  await browser.context.route("**/*", answerRequest);
  browser.context.on("page", (page) => {
    // Pages of ours are made by `newPage`, which has no opener and is shown before anything runs in it.
    page.opener().then(
      (opener) => (opener === null ? undefined : page.close()),
      () => undefined,
    );
  });
  report({ kind: "browser", endpoint: browser.endpoint });
}

function end(code: number): void {
  const closed = host.browser?.close() ?? Promise.resolve();
  closed.finally(() => process.exit(code)).catch(() => process.exit(code));
}

const parts = {
  isPackaged: false,
  getPath: folder,
  setPath: (name, path) => void folders.set(name, path),
  setAppUserModelId: () => undefined,
  getPreferredSystemLanguages: () => ["ja-JP"],
  disableHardwareAcceleration: () => undefined,
  setBadgeCount: () => true,
  requestSingleInstanceLock: () =>
    claimInstance(folder("userData"), (argv) =>
      events.emit("second-instance", preventable({}), argv, "", {}),
    ),
  whenReady() {
    ready ??= becomeReady();
    return ready;
  },
  exit: (code = 0) => end(code),
  quit() {
    const event = preventable({});
    events.emit("before-quit", event);
    if (!event.defaultPrevented) end(0);
  },
} satisfies Partial<Omit<App, keyof NodeJS.EventEmitter>>;

/** Electron's `app`, as far as the program uses it. */
export const app = strict("app", {
  ...parts,
  on: (name: string, listener: (...args: unknown[]) => void) => events.on(name, listener),
});
