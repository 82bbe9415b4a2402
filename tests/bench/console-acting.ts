import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "@playwright/test";
import { openEmbedded } from "../../main/console/index.ts";
import { chromiumOptions } from "../console/support/chromium.ts";
import { KILLED_NETWORK, killRun } from "../support/killed-run.ts";
import { serveConsole } from "../support/served-console.ts";
import { printTable } from "./machine.ts";
import { createProbe, type Probe } from "./page-probe.ts";

const TIMES = 10;

type Row = Readonly<Record<"what" | "figure" | "budget", string>>;

/** What acts, in a real Chromium over a local kintone, held against the budgets of the dialogs. Needs the built pages. */
export async function benchConsoleActing(): Promise<void> {
  const browser = await chromium.launch(chromiumOptions());
  try {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: "ja-JP" });
    const page = await context.newPage();
    const probe = await createProbe(page);
    const rows = await overKilledRun(async (link) => {
      await page.goto(link);
      return releaseRows(probe);
    });
    printTable(`Acting: the lock of a killed owner (Chromium ${browser.version()})`, rows);
  } finally {
    await browser.close();
  }
}

/** A console over a data folder whose last orchestrator was killed in the middle of its Run. */
async function overKilledRun(measure: (link: string) => Promise<readonly Row[]>): Promise<readonly Row[]> {
  const dataDir = await mkdtemp(join(tmpdir(), "flownet-bench-"));
  await killRun(dataDir, `${KILLED_NETWORK}@2026-09-04`);
  const workspace = await openEmbedded({ dataDir, env: process.env, endServer: true });
  const served = await serveConsole(workspace);
  try {
    return await measure(served.link());
  } finally {
    await served.close();
    await workspace.dispose();
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** From the click that opens the drawer to its probes on the screen; the plan of the release comes beside them. */
async function releaseRows(probe: Probe): Promise<readonly Row[]> {
  await probe.open("#/locks", `tr[data-lock='${KILLED_NETWORK}'] a`);
  const link = `document.querySelector("tr[data-lock='${KILLED_NETWORK}'] a").hash`;
  const toProbes: number[] = [];
  const toPlan: number[] = [];
  for (let turn = 0; turn < TIMES; turn++) {
    await probe.open("#/locks", `tr[data-lock='${KILLED_NETWORK}'] a`);
    const opened = `const from = performance.now(); location.hash = ${link} + "/release";`;
    toProbes.push(
      await probe.number(
        `(async () => { ${opened} return (await probe.until("dialog [data-probe]")) - from; })()`,
      ),
    );
    await probe.open("#/locks", `tr[data-lock='${KILLED_NETWORK}'] a`);
    toPlan.push(
      await probe.number(
        `(async () => { ${opened} return (await probe.until("dialog [data-testid=plan-age]")) - from; })()`,
      ),
    );
  }
  return [
    row("forced release: from the click to the probes, median", median(toProbes), ""),
    row(`the same, slowest of ${TIMES}`, Math.max(...toProbes), "<= 1000 ms"),
    row("from the click to the plan, median", median(toPlan), ""),
    row(`the same, slowest of ${TIMES}`, Math.max(...toPlan), ""),
  ];
}

const row = (what: string, ms: number, budget: string): Row => ({
  what,
  figure: `${Math.round(ms)} ms`,
  budget,
});

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
