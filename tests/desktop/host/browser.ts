import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BrowserContext, chromium } from "@playwright/test";
import { findOrInstallBrowser, thisMachine } from "../../../tools/check/browser.ts";

export interface HostBrowser {
  readonly context: BrowserContext;
  /** Where a test connects to the same pages. */
  readonly endpoint: string;
  close(): Promise<void>;
}

/** One Chromium for all windows of a host, Japanese as the sites are. It stays open when the last window closes. */
export async function launchBrowser(): Promise<HostBrowser> {
  const found = findOrInstallBrowser(thisMachine(() => chromium.executablePath()));
  if (found.kind === "missing") throw new Error(`${found.reason}. ${found.remedy}`);
  const profile = await mkdtemp(join(tmpdir(), "flownet-host-"));
  const asRoot = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: found.path,
    args: ["--remote-debugging-port=0", ...asRoot],
    locale: "ja-JP",
    timezoneId: "Asia/Tokyo",
    viewport: { width: 1280, height: 800 },
  });
  const [port = ""] = (await readFile(join(profile, "DevToolsActivePort"), "utf8")).split("\n");
  return {
    context,
    endpoint: `http://127.0.0.1:${port}`,
    async close() {
      await context.close();
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
