import { createHash, randomUUID } from "node:crypto";
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { openEmbedded } from "../../../main/console/index.ts";
import { archivedRecord, brokenRecord, openAuditApp, releasedRecord } from "../../support/audit-records.ts";
import { flownet as command } from "../../support/flownet-command.ts";
import { KILLED_LEASE_MS, killRun } from "../../support/killed-run.ts";
import { leaveSurvivor, type Survivor } from "../../support/survivor.ts";
import { actedAlone, appointApprovers } from "./approvers.ts";
import { type ConsoleProcess, startConsole } from "./console-process.ts";
import { writeQueue } from "./request-queue.ts";

const EXAMPLES = join(import.meta.dirname, "..", "..", "..", "examples");
const FAILED_KEY = "stock_check@2026-09-04";
/** The lease of the killed Run, its margin, and the minute that stored times have lost. */
const LATER_MS = KILLED_LEASE_MS + 3 * 60_000;
const PROOF = Buffer.from("ps -p 8812: no such process\n");

export interface Morning extends Pick<ConsoleProcess, "link"> {
  /** Ends what still runs of the night, and the console. */
  stop(): Promise<void>;
}

/**
 * The morning after a bad night: a success, a failure, a Run that was killed and a lock that stayed behind, requests of
 * every fate, a process that outlived its program, and what people did: a release, a close, and one thing alone.
 */
export async function openMorning(): Promise<Morning> {
  const dataDir = await mkdtemp(join(tmpdir(), "flownet-matrix-"));
  await runExample(dataDir, "diamond", "diamond@2026-09-04");
  await runExample(dataDir, "failing-assert", FAILED_KEY);
  await killRun(dataDir, "nightly_load@2026-09-04");
  const schedules = { kind: "FLOWNET_SCHEDULES", formatVersion: 1, networks: [] };
  await writeFile(join(dataDir, "schedules.json"), JSON.stringify(schedules));
  const survivor = await writeNight(dataDir);
  await appointApprovers(dataDir, "suzuki");
  await actedAlone(dataDir, randomUUID());
  const env = { FLOWNET_TEST_CLOCK_OFFSET_MS: String(LATER_MS) };
  const { link, stop } = await startConsole({ dataDir, env });
  return {
    link,
    async stop() {
      survivor.end();
      await stop();
    },
  };
}

const runExample = (dataDir: string, name: string, key: string) =>
  command([
    "run-network",
    join(EXAMPLES, name, "network.yaml"),
    "--business-key",
    key,
    "--data-dir",
    dataDir,
  ]);

/** What no command of ours leaves behind: records, and a child that refuses to end. */
async function writeNight(dataDir: string): Promise<Survivor> {
  const workspace = await openEmbedded({ dataDir, env: process.env, endServer: true });
  if (workspace.requestStore === null) throw new Error("no request app");
  await writeQueue(workspace.requestStore);
  const hash = createHash("sha256").update(PROOF).digest("hex");
  const audit = openAuditApp(workspace);
  await audit.add(archivedRecord("netrun_before"));
  await audit.add(brokenRecord());
  await audit.add(releasedRecord(hash));
  await audit.dispose();
  await writeFile(join(workspace.folders.evidence, `${hash}-ps.txt`), PROOF);
  const survivor = await leaveSurvivor({
    journal: workspace.folders.journal,
    workDir: workspace.children.workDir,
    runId: "netrun_6f1d2c34-0000-4000-8000-00000000c41f",
    nodeId: "deal_summary",
  });
  await workspace.dispose();
  return survivor;
}

/** Addresses of what only this morning knows. */
export interface Places {
  readonly failedRun: string;
  readonly lock: string;
  readonly doubt: string;
  readonly process: string;
  readonly auditEntry: string;
}

/** Reads the addresses off the lists, as a person would find them. */
export async function findPlaces(page: Page, link: string): Promise<Places> {
  await page.goto(link);
  const address = async (hash: string, row: string): Promise<string> => {
    await page.evaluate((to) => {
      window.location.hash = to;
    }, hash);
    const found = await page.locator(row).getByRole("link").first().getAttribute("href");
    if (found === null) throw new Error(`nothing to open in ${row}`);
    return found;
  };
  return {
    lock: await address("#/locks", 'tr[data-lock="nightly_load"]'),
    doubt: await address("#/unknown", "tr[data-doubt]"),
    process: await address("#/processes", 'tr:has-text("deal_summary")[data-process]'),
    auditEntry: await address("#/audit", 'tr[data-audit]:has-text("sales_import")'),
    failedRun: await address("#/runs", `tr[data-run]:has-text("${FAILED_KEY}")`),
  };
}
