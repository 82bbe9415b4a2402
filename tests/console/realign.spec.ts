import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type OpenedWorkspace, openEmbedded } from "../../main/console/index.ts";
import { editNodeByHand } from "../support/hand-edit.ts";
import { serveConsole } from "../support/served-console.ts";
import { test as base, expect, expectAccessible, takeScreen } from "./support/console-test.ts";
import { allowGated, makeGatedRun, writeGated } from "./support/gated-runs.ts";
import { keyboard } from "./support/hands.ts";
import { confirmAndWait, confirmIn, expectReady, fieldOf, phaseIn } from "./support/incident-way.ts";

const KEY = "stock_check@2026-09-04";
const NODE = "amount_gate";

interface Edited {
  readonly link: string;
  readonly workspace: OpenedWorkspace;
  readonly runId: string;
}

/** A Run that failed, and a node of which somebody changed the remark in kintone. */
const test = base.extend<{ readonly edited: Edited }>({
  edited: async ({ browserName: _ }, use) => {
    const dataDir = await mkdtemp(join(tmpdir(), "flownet-realign-"));
    const networks = await writeGated(join(dataDir, "definitions"), ["stock_check"]);
    await allowGated(dataDir, networks);
    const workspace = await openEmbedded({ dataDir, env: process.env, endServer: true });
    const served = await serveConsole(workspace, process.env.FLOWNET_TEST_PAGES);
    const runId = await makeGatedRun(dataDir, networks[0]?.definition ?? "", KEY);
    await editNodeByHand(workspace, runId, NODE, { status_reason: "電話で確認" });
    await use({ link: served.link(), workspace, runId });
    await served.close();
    await workspace.dispose();
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
  },
});
test.setTimeout(120_000);

test("A node whose record was edited by hand is taken up as it is, by keyboard alone (orchestration §11.1)", async ({
  edited: { link, workspace, runId },
  quietPage: page,
}) => {
  const hands = keyboard(page);
  await page.goto(`${link}#/runs/${runId}`);
  const found = page.getByRole("region", { name: "不整合の検出" });
  await expect(found).toContainText("REVISION_SERIES_INVERTED");
  await expectAccessible(page);
  await takeScreen(page, "realign-found-ja-light");
  await hands.press(found.getByRole("button", { name: `記録のまま引き継ぐ: ${NODE}` }));

  const form = page.getByRole("dialog", { name: `${KEY} の ${NODE} を記録のまま引き継ぐ` });
  await expect(form.getByTestId("plan-age")).toBeVisible();
  await expect(form.getByRole("button", { name: "閉じる", exact: true })).toBeFocused();
  await expect(form).toContainText("手で変えた内容はそのまま残ります");
  await hands.write(fieldOf(form, "証拠の説明"), "INC-1: 担当者に電話で確認");
  await hands.write(fieldOf(form, "理由"), "備考だけが書き換えられたため");
  await hands.write(fieldOf(form, "確認の入力"), `${KEY}/${NODE}`);
  await expect(form).toContainText("書き換えの確認者");
  await expect(confirmIn(form)).toHaveAttribute("aria-disabled", "true");
  await hands.write(fieldOf(form, "書き換えの確認者"), "佐藤");
  await expectReady(form);
  await expectAccessible(page);
  await takeScreen(page, "realign-ja-light");
  await confirmAndWait(form, hands);
  await expect(phaseIn(form)).toContainText("反映済み");
  await expectAccessible(page);
  await takeScreen(page, "realign-done-ja-light");
  await hands.press(form.getByRole("button", { name: "閉じる", exact: true }));

  await expect(found).toHaveCount(0);
  const state = (await workspace.reads.listNodeStates(runId)).find(({ nodeId }) => nodeId === NODE);
  expect(state?.revision).toBe(state?.ref.revision);
  expect(state?.statusReason).toBe("電話で確認");
});
