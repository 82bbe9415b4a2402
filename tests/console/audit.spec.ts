import { createHash, randomUUID } from "node:crypto";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Download, Page } from "@playwright/test";
import { createActionJournal } from "../../main/console/acting/journal/index.ts";
import { type OpenedWorkspace, openEmbedded } from "../../main/console/index.ts";
import { evidenceManifest, readZip } from "../../shared/bundle/index.ts";
import {
  archivedRecord,
  brokenRecord,
  openAuditApp,
  releasedRecord,
  startedRecord,
} from "../support/audit-records.ts";
import { flownet as command } from "../support/flownet-command.ts";
import { serveConsole } from "../support/served-console.ts";
import { test as base, expect, expectAccessible, takeScreen } from "./support/console-test.ts";

const FAILING = join(import.meta.dirname, "..", "..", "examples", "failing-assert", "network.yaml");
const PAGES = process.env.FLOWNET_TEST_PAGES;
const proof = Buffer.from("ps -p 8812: no such process\n");
const proofHash = createHash("sha256").update(proof).digest("hex");

interface Night {
  readonly link: string;
  readonly runId: string;
  readonly workspace: OpenedWorkspace;
  /** A Run of another network fails. */
  fail(businessKey: string): Promise<void>;
}

async function failRun(dataDir: string, businessKey: string, network = FAILING): Promise<string> {
  const args = ["run-network", network, "--business-key", businessKey, "--json", "--data-dir", dataDir];
  const { stdout } = await command(args);
  return String(JSON.parse(stdout).run_id);
}

/** The same network under another name: the first one's Run is not finished, and it takes one at a time. */
async function anotherNetwork(dataDir: string): Promise<string> {
  const folder = join(dataDir, "another");
  await cp(dirname(FAILING), folder, { recursive: true });
  const file = join(folder, "network.yaml");
  const text = await readFile(file, "utf8");
  await writeFile(file, text.replace("network_id: failing_assert", "network_id: failing_again"));
  return file;
}

/** What was done in a night: a release with its proof, a close, a start, and a record nobody can read. */
async function writeNight(workspace: OpenedWorkspace, runId: string): Promise<void> {
  const app = openAuditApp(workspace);
  for (let count = 0; count < 120; count += 1) await app.add(startedRecord("netrun_before", `user${count}`));
  await app.add(releasedRecord(proofHash));
  await app.add(brokenRecord());
  await app.add(archivedRecord(runId));
  await app.dispose();
  await writeFile(join(workspace.folders.evidence, `${proofHash}-ps.txt`), proof);
  const journal = createActionJournal({
    folder: join(workspace.folders.journal, "actions"),
    who: {
      account: "yamada",
      requestedBy: "山田",
      servicePrincipal: "HOST-A",
      host: "HOST-A",
      version: "0",
      pid: 1,
    },
    nowMs: () => Date.now(),
  });
  const subject = { profile: null, networkId: "sales_import", businessKey: null, runId: null, nodeId: null };
  await journal.append({
    step: "accepted",
    operationId: randomUUID(),
    action: "forceUnlock",
    operation: "FORCE_UNLOCK",
    subject: { ...subject, requestId: null, jobKey: null },
    arguments: { kind: "forceUnlock", stopConfirmedBy: "佐藤" },
    seen: {},
    reason: "プロセス終了確認: ホストで確認しました",
    evidence: [{ name: "ps.txt", sha256: proofHash }],
    fingerprint: "f".repeat(64),
    planAgeMs: 3_000,
    probes: [],
    consent: { kind: "person", account: "suzuki" },
    filed: null,
  });
}

const test = base.extend<{ readonly night: Night }>({
  night: async ({ browserName: _ }, use) => {
    const dataDir = await mkdtemp(join(tmpdir(), "flownet-audit-"));
    const runId = await failRun(dataDir, "stock_check@2026-09-04");
    const workspace = await openEmbedded({ dataDir, env: process.env, endServer: true });
    await writeNight(workspace, runId);
    const served = await serveConsole(workspace, PAGES);
    const another = await anotherNetwork(dataDir);
    const fail = async (businessKey: string): Promise<void> =>
      void (await failRun(dataDir, businessKey, another));
    await use({ link: served.link(), runId, workspace, fail });
    await served.close();
    await workspace.dispose();
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
  },
});

const goTo = (page: Page, hash: string): Promise<void> =>
  page.evaluate((to) => {
    window.location.hash = to;
  }, hash);

async function bytesOf(download: Download): Promise<Buffer> {
  return readFile(await download.path());
}

async function toEnglish(page: Page): Promise<void> {
  await page.getByRole("button", { name: /^表示言語|^言語/ }).click();
  await page.getByRole("menuitemradio", { name: "English" }).click();
  // The menu gives the focus back a moment after it closed; whoever takes it before loses it again.
  await expect(page.getByRole("button", { name: /^Language/ })).toBeFocused();
}

test("監査履歴 tells who did what with which evidence, page by page, and hands it on (operator-ux §2.5)", async ({
  night,
  quietPage: page,
}) => {
  await page.goto(night.link);
  await page.getByRole("link", { name: "監査履歴" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "監査履歴" })).toBeVisible();
  const rows = page.locator("tr[data-audit]");
  await expect(rows.filter({ hasText: "ロックの強制解放" })).toContainText("山田");
  await expect(rows.filter({ hasText: "判定不能" })).toBeVisible();
  await expect(page.getByTestId("audit-extent")).toContainText("100件");
  await expect(page.getByRole("region", { name: "このコンソールの操作記録" })).toContainText(
    "つながっています",
  );
  await expectAccessible(page);
  await takeScreen(page, "audit-ja-light");

  await page.getByRole("button", { name: "さらに古い記録を読む" }).click();
  await expect(page.getByTestId("audit-extent")).toContainText("最初の記録まで");

  await page.getByLabel("操作", { exact: true }).selectOption("forceRelease");
  await expect(page).toHaveURL(/#\/audit\?kind=forceRelease$/);
  await expect(rows).toHaveCount(1);
  await rows.getByRole("link").click();
  const detail = page.getByRole("complementary", { name: "監査履歴の詳細" });
  await expect(detail).toContainText("このホストに保管されています。SHA-256が一致します。");
  await expect(detail).toContainText("停止方法");
  await expectAccessible(page);
  await takeScreen(page, "audit-detail-ja-light");

  const csv = page.waitForEvent("download");
  await page.getByRole("button", { name: "CSVを保存する" }).click();
  const text = (await bytesOf(await csv)).toString("utf8");
  expect(text.startsWith("\uFEFFkey,source")).toBe(true);
  expect(text).toContain(proofHash);
  await expect(page.getByTestId("audit-saved")).toContainText("書き出しました");

  await page.keyboard.press("Escape");
  await expect(detail).toBeHidden();
  await goTo(page, "#/audit?kind=unreadable");
  await rows.getByRole("link").click();
  await expect(detail).toContainText("判定不能");
  await expect(detail).toContainText("revision 1");
});

test("A result code leads to what it means, in both languages and without a network (operator-ux §1.2)", async ({
  night,
  quietPage: page,
}) => {
  await page.goto(night.link);
  const row = page.locator('li[data-kind="failed"]');
  await row.getByRole("link", { name: "ASSERT_FAILED の手引き" }).click();
  await expect(page).toHaveURL(/#\/guidance\/ASSERT_FAILED$/);
  for (const part of ["原因", "確認", "対応", "禁止", "担当"]) {
    await expect(page.getByRole("term").filter({ hasText: part })).toBeVisible();
  }
  await expectAccessible(page);
  await takeScreen(page, "guidance-ja-light");
  await goTo(page, "#/guidance/NEW_IN_ANOTHER_VERSION");
  await expect(page.getByRole("heading", { level: 1 })).toContainText("このコードの手引きはありません");
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").fill("lease_still");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/#\/guidance\/LEASE_STILL_ACTIVE$/);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("heading", { level: 1, name: "手引き" })).toBeVisible();
  await toEnglish(page);
  await page.getByRole("searchbox", { name: "Find by code or word" }).fill("heartbeat");
  await expect(page.getByRole("link", { name: "LOCK_CONFLICT" })).toBeHidden();
  await expect(page.getByRole("link", { name: "HEARTBEAT_ADVANCED" })).toBeVisible();
  await page.getByRole("searchbox", { name: "Find by code or word" }).fill("");
  await expectAccessible(page);
  await takeScreen(page, "guidance-list-en-light");
});

test("An item is taken on and stays, a note is left, the evidence is saved (operator-ux §1.2)", async ({
  night,
  quietPage: page,
}) => {
  await page.goto(night.link);
  const row = page.locator('li[data-kind="failed"]');
  await row.getByRole("button", { name: /対応中にする$/ }).click();
  await row.getByLabel("担当者").fill("佐藤");
  await row.getByLabel("ひとこと").fill("データの担当者に確認中");
  await page.keyboard.press("Enter");
  await expect(row.getByTestId("acknowledged")).toContainText("佐藤");
  const release = row.getByRole("button", { name: /対応中を外す$/ });
  // The form is gone with its use, the place of whoever works by keyboard is not (operator-ux U5; WCAG 2.4.3).
  await expect(release).toBeFocused();
  await expect(row).toContainText("一次対応者の作業です。");
  await expectAccessible(page);
  await takeScreen(page, "attention-taken-ja-light");
  await release.click();
  await expect(row.getByTestId("acknowledged")).toBeHidden();
  await expect(row.getByRole("button", { name: /対応中にする$/ })).toBeFocused();

  await goTo(page, `#/runs/${night.runId}`);
  const notes = page.getByRole("region", { name: "メモ" });
  await notes.getByLabel("内容").fill("業務側に連絡済み");
  await notes.getByRole("button", { name: "メモを残す" }).click();
  await expect(notes.getByRole("listitem")).toContainText("業務側に連絡済み");
  const saved = page.waitForEvent("download");
  await page.getByRole("button", { name: "証跡を保存する" }).click();
  const entries = readZip(await bytesOf(await saved));
  if (!entries.ok) throw new Error(entries.error.message);
  const manifest = entries.value.find(({ name }) => name === "manifest.json");
  const { subject, files } = evidenceManifest.parse(
    JSON.parse(Buffer.from(manifest?.data ?? []).toString("utf8")),
  );
  expect(subject).toEqual({ runId: night.runId, businessKey: "stock_check@2026-09-04" });
  expect(files.map(({ path }) => path)).toContain("records/run.json");
  await expect(page.getByTestId("bundle-saved")).toContainText("書き出しました");
  await expectAccessible(page);
  await takeScreen(page, "run-notes-ja-light");
});

test("What newly needs somebody is told on every page, takes its own room, and never the focus (operator-ux §4)", async ({
  night,
  quietPage: page,
}) => {
  await page.goto(night.link);
  await expect(page.locator('li[data-kind="failed"]')).toHaveCount(1);
  await toEnglish(page);
  await goTo(page, "#/audit");
  const who = page.getByRole("searchbox", { name: "Who" });
  await who.fill("山田");
  await expect(page.getByTestId("notices")).toBeHidden();
  await expect(who).toBeFocused();
  await night.fail("stock_check@2026-09-05");
  const notice = page.getByTestId("notices").getByRole("listitem");
  await expect(notice).toContainText("stock_check@2026-09-05");
  await expect(who).toBeFocused();
  const [region, field] = await Promise.all([page.getByTestId("notices").boundingBox(), who.boundingBox()]);
  expect((region?.y ?? 0) + (region?.height ?? 0)).toBeLessThanOrEqual(field?.y ?? 0);
  await expectAccessible(page);
  await takeScreen(page, "notices-en-light");
  for (const theme of ["Dark", "High contrast"]) {
    await page.getByRole("button", { name: /^Colours/ }).click();
    await page.getByRole("menuitemradio", { name: theme, exact: true }).click();
    await expectAccessible(page);
    await takeScreen(page, `notices-en-${theme === "Dark" ? "dark" : "contrast"}`);
  }
  await notice.getByRole("button", { name: /^Close/ }).click();
  await expect(page.getByTestId("notices")).toBeHidden();
});
