import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test as base, expect } from "@playwright/test";
import type { StartOptions } from "./driver.ts";
import { type HostedDesktop, startHosted } from "./host-driver.ts";

type More = Omit<StartOptions, "folder">;

interface Fixtures {
  /** Starts the program on the test's own folder; whatever still runs at the end of the test is ended. */
  readonly start: (more?: More) => HostedDesktop;
}

export const test = base.extend<Fixtures>({
  start: async ({ browserName: _ }, use) => {
    const folder = await mkdtemp(join(tmpdir(), "flownet-desktop-"));
    const started: HostedDesktop[] = [];
    await use((more = {}) => {
      const desktop = startHosted({ folder, ...more });
      started.push(desktop);
      return desktop;
    });
    for (const desktop of started) await desktop.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 10 });
  },
});

export { expect };
