import { appendFile, mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { openEmbedded } from "../../main/console/index.ts";
import { startConsole } from "./support/console-process.ts";
import { expect, expectAccessible, takeScreen, test } from "./support/console-test.ts";

const EXAMPLE = join(import.meta.dirname, "..", "..", "examples", "failing-assert", "network.yaml");
const ESC = "\u001b";
const LINES = 700_000;

interface Failed {
  readonly dataDir: string;
  readonly runId: string;
  readonly attemptId: string;
  /** A log that a child of the attempt could still write. */
  readonly live: string;
}

/** A Run that failed, as the orchestrator makes it, with logs beside its own that no sample job prints. */
async function failedRun(): Promise<Failed> {
  const dataDir = await mkdtemp(join(tmpdir(), "flownet-console-"));
  const workspace = await openEmbedded({ dataDir, env: process.env, endServer: true });
  try {
    const { runId } = await workspace.orchestrator.runNetwork({
      definitionPath: EXAMPLE,
      businessKey: "fail@2026-09",
      requestedBy: "tester",
    });
    const graph = await workspace.reads.readRunGraph(runId ?? "");
    const attempt = graph?.attempts.find(({ status }) => status === "FAILED");
    if (runId === null || attempt === undefined) throw new Error("no attempt failed");
    const kept = join(dataDir, "log", "attempts", attempt.attemptId);
    await mkdir(kept, { recursive: true });
    await writeFile(join(kept, "stdout.log"), hostileLog());
    const living = join(dataDir, "work", attempt.attemptId, "cwd", ".ksql", "logs");
    const live = join(living, "living.jsonl");
    await mkdir(living, { recursive: true });
    await writeFile(live, '{"level":"info","n":1}\n{"level":"error","n":2}\n');
    return { dataDir, runId, attemptId: attempt.attemptId, live };
  } finally {
    await workspace.dispose();
  }
}

function hostileLog(): Buffer {
  const lines = Array.from({ length: LINES }, (_, at) => `2026-09-01T00:00:00 chunk ${at} を書き込みました`);
  lines[10] = "needle <img src=x onerror=\"document.title='owned'\"> <b>bold</b>";
  lines[600_000] = `needle ${ESC}[31m失敗${ESC}[0m after`;
  lines[LINES - 3] = `${ESC}[1;32m成功${ESC}[0m ${ESC}[2Jerase \u202eesrever\u202c end`;
  lines[LINES - 2] = `long ${"x".repeat(1_000_000)} needle`;
  return Buffer.concat([Buffer.from(`${lines.join("\n")} `), Buffer.from([0xff, 0x0a])]);
}

const log = (page: Page) => page.getByRole("listbox", { name: /ログ|Log of/ });
const lineAt = (page: Page, line: number) => log(page).locator(`[data-line="${line - 1}"]`);

test("A log of any size opens at its end, is searched, followed and copied (operator-ux §1.3, §3.2)", async ({
  quietPage: page,
  context,
}) => {
  const { dataDir, runId, attemptId, live } = await failedRun();
  const flownet = await startConsole({ dataDir });
  try {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.goto(flownet.link);
    const { origin } = new URL(page.url());
    await page.goto(`${origin}/#/runs/${runId}?tab=log&attempt=${attemptId}`);

    // The end first, and numbered once the lines are counted.
    await expect(lineAt(page, LINES)).toContainText("0xFF");
    await expect(page.getByText("700,000行", { exact: true })).toBeVisible();
    await expect(lineAt(page, LINES - 2)).toContainText("U+202E");
    await expect(lineAt(page, LINES - 2)).toContainText("U+001B[2Jerase");
    await expect(lineAt(page, LINES - 1)).toContainText("残り");
    expect(await log(page).locator("[data-line]").count()).toBeLessThan(80);
    await expectAccessible(page);
    await takeScreen(page, "log-ja-light");

    // The search, by keyboard alone.
    await page.keyboard.press("/");
    await page.keyboard.type("NEEDLE");
    await page.keyboard.press("Enter");
    await expect(page.getByText(/1 \/ 3件/)).toBeVisible();
    await expect(lineAt(page, 11)).toContainText("<b>bold</b>");
    await page.keyboard.press("Enter");
    await expect(lineAt(page, 600_001)).toContainText("失敗");
    await log(page).focus();
    await page.keyboard.press("n");
    await expect(page.getByRole("heading", { name: "699,999行目" })).toBeVisible();
    await page.keyboard.press("Shift+N");
    await expect(lineAt(page, 600_001)).toBeInViewport();
    expect(await page.title()).not.toContain("owned");
    await expectAccessible(page);
    await takeScreen(page, "log-search-ja-light");

    // A range, and its copy.
    await page.keyboard.press("Shift+ArrowDown");
    await page.keyboard.press("Control+c");
    await expect(page.getByTestId("announcer")).toContainText("2行をコピーしました");
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain("chunk 600001");
    await page.keyboard.press("g");
    await expect(lineAt(page, 1)).toBeInViewport();
    await page.getByLabel("行番号").fill("５０００００");
    await page.keyboard.press("Enter");
    await expect(lineAt(page, 500_000)).toBeInViewport();

    // Following a log that grows, with its levels.
    await page.getByRole("radio", { name: /living/ }).check({ force: true });
    await expect(lineAt(page, 2)).toContainText("error");
    await appendFile(live, '{"level":"info","n":3}\n');
    await expect(lineAt(page, 3)).toContainText('"n":3');
    await page.getByLabel("レベル").selectOption("error");
    await expect(page.getByText(/1 \/ 1件/)).toBeVisible();
    await appendFile(live, '{"level":"info","n":4}\n');
    await expect(page.getByText("追従を止めています。新しい行 1行")).toBeVisible();
    await log(page).focus();
    await page.keyboard.press("f");
    await expect(lineAt(page, 4)).toContainText('"n":4');
    await writeFile(live, "anew\n");
    await expect(lineAt(page, 1)).toContainText("anew");
    await expect(page.getByText("ログが切り詰められたか")).toBeVisible();

    // English, dark.
    await page.getByRole("button", { name: /^表示言語/ }).click();
    await page.getByRole("menuitemradio", { name: "English" }).click();
    await page.getByRole("button", { name: /^Colours/ }).click();
    await page.getByRole("menuitemradio", { name: "Dark" }).click();
    await page.getByRole("radio", { name: /Standard output/ }).check({ force: true });
    await expect(page.getByText("700,000 lines", { exact: true })).toBeVisible();
    await page.getByRole("searchbox").fill("needle");
    await page.keyboard.press("Enter");
    await expect(page.getByText("1 of 3")).toBeVisible();
    await expectAccessible(page);
    await takeScreen(page, "log-en-dark");

    // Wrapped, in high contrast: a long line takes the lines it needs, and nothing scrolls sideways.
    await page.getByLabel("Wrap").check();
    await log(page).focus();
    await page.keyboard.press("Shift+G");
    await expect(lineAt(page, LINES)).toBeInViewport();
    const rest = lineAt(page, LINES - 1).getByText("more bytes");
    await expect(rest).toBeVisible();
    const sideways = await log(page).evaluate((frame) => frame.scrollWidth - frame.clientWidth);
    expect(sideways).toBeLessThanOrEqual(1);
    await page.getByRole("button", { name: /^Colours/ }).click();
    await page.getByRole("menuitemradio", { name: /contrast/i }).click();
    await expectAccessible(page);
    await takeScreen(page, "log-wrapped-en-contrast");
  } finally {
    // A page without its console would complain of the line.
    await page.close();
    await flownet.stop();
  }
});

test("A node without an attempt has no log, and says where its reason is (operator-ux §1.1)", async ({
  quietPage: page,
}) => {
  const { dataDir, runId } = await failedRun();
  const flownet = await startConsole({ dataDir });
  try {
    await page.goto(flownet.link);
    const { origin } = new URL(page.url());
    await page.goto(`${origin}/#/runs/${runId}?tab=log&node=publish`);
    await expect(page.getByText("ノード publish には試行がないため")).toBeVisible();
    await page.getByRole("link", { name: "ノードの詳細を開く" }).click();
    await expect(page.getByText("上流の次のノードが原因で止まっています:")).toBeVisible();
  } finally {
    // A page without its console would complain of the line.
    await page.close();
    await flownet.stop();
  }
});
