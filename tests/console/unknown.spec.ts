import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { flownet as command } from "../support/flownet-command.ts";
import { INCIDENT_NODE, type Incident, makeIncident } from "../support/incident.ts";
import { type ConsoleProcess, startConsole } from "./support/console-process.ts";
import { test as base, expect, expectAccessible, takeScreen } from "./support/console-test.ts";
import { keyboard, mouse } from "./support/hands.ts";
import {
  confirmAndWait,
  confirmIn,
  expectReady,
  fieldOf,
  identifierOfNode,
  openOutcome,
  typeIdentifier,
  writeProof,
} from "./support/incident-way.ts";
import { WORDS } from "./support/incident-words.ts";

const KEY = "deal_close@2026-10";

interface Unknown {
  readonly dataDir: string;
  readonly incident: Incident;
  readonly console: ConsoleProcess;
}

/** A console over a Run whose job was killed after its SQL had started: nobody knows what it came to. */
const test = base.extend<{ readonly unknown: Unknown }>({
  unknown: async ({ browserName: _ }, use) => {
    const dataDir = await mkdtemp(join(tmpdir(), "flownet-unknown-"));
    const incident = await makeIncident(dataDir, KEY, "child");
    const console = await startConsole({ dataDir });
    await use({ dataDir, incident, console });
    await console.stop();
  },
});

const row = (page: Page) => page.locator(`tr[data-doubt="unknown"][data-node="${INCIDENT_NODE}"]`);

test("An unknown result is compared and resolved, and only with everything said (screens, 結果不明)", async ({
  unknown: { console, incident },
  quietPage: page,
}) => {
  const words = WORDS.ja;
  await page.setViewportSize({ width: 1280, height: 1000 });
  await page.goto(console.link);
  await expect(page.locator('li[data-kind="unknown"]')).toContainText(INCIDENT_NODE);
  await page.getByRole("link", { name: "結果不明", exact: true }).click();
  await expect(row(page)).toContainText(KEY);
  await expectAccessible(page);
  await takeScreen(page, "unknown-list-ja-light");
  await row(page).getByRole("link").click();
  await expect(page).toHaveURL(new RegExp(`#/unknown/${incident.runId}/${INCIDENT_NODE}$`));
  await expect(page.getByText("触らずに照合してください。二次対応者の作業です。").first()).toBeVisible();
  for (const [evidence, shows] of [
    ["resultFile", "noResult"],
    ["jobLog", "logOpen"],
    ["sqlStart", "sqlStarted"],
    ["child", "childGone"],
    ["journal", "journalExit"],
  ] as const) {
    await expect(page.locator(`tr[data-evidence="${evidence}"]`)).toHaveAttribute("data-shows", shows);
  }
  await page.getByRole("button", { name: words.query }).click();
  await expect(page.locator("section[data-app]")).toContainText("3,600件");
  await expectAccessible(page);
  await takeScreen(page, "unknown-ja-light");

  await page.getByLabel(words.condition).fill("金額 > 1 limit 500");
  await page.getByLabel(words.condition).press("Enter");
  await expect(page.getByText("条件だけを渡せます。")).toBeVisible();

  const form = await openOutcome(page, mouse, words.chooseSuccess);
  for (const lack of [...words.allLacks, "業務データでの完了確認"]) {
    await expect(form).toContainText(lack);
  }
  await form.getByLabel(words.completion).check();
  await form.getByRole("button", { name: words.attach }).click();
  await expect(form.locator('li[data-file="kept"]')).toBeVisible();
  await writeProof(form, mouse, words, "業務データで全件の更新を確認");
  const wanted = identifierOfNode(KEY);
  await typeIdentifier(form, mouse, words, wanted.replace("o", "\u043e"));
  await expect(form).toContainText("U+043E");
  await expect(confirmIn(form)).toHaveAttribute("aria-disabled", "true");
  await typeIdentifier(form, mouse, words, wanted);
  await fieldOf(form, words.reason).fill("");
  await expect(confirmIn(form)).toHaveAttribute("aria-disabled", "true");
  await fieldOf(form, words.reason).fill(words.why);
  await expectReady(form);
  await expectAccessible(page);
  await takeScreen(page, "unknown-resolve-ja-light");
  await confirmAndWait(form, mouse);
  await expect(page.locator('[data-decision="SUCCESS"]')).toContainText(words.who);
  await expect(form.getByRole("button", { name: words.resume })).toBeVisible();
  await page.getByRole("link", { name: "結果不明の一覧" }).click();
  await expect(page.getByText("結果不明の試行はありません。")).toBeVisible();
});

test("A result that was resolved elsewhere while the form was open is not resolved twice (operator-ux D6, W-08)", async ({
  unknown: { console, incident, dataDir },
  quietPage: page,
}) => {
  const words = WORDS.en;
  await page.goto(console.link);
  await page.evaluate(
    (address) => {
      window.localStorage.setItem("flownet.language", "en");
      window.localStorage.setItem("flownet.theme", "contrast");
      window.location.hash = address;
    },
    `#/unknown/${encodeURIComponent(incident.attemptId)}`,
  );
  await page.reload();
  await expect(page).toHaveURL(new RegExp(`#/unknown/${incident.runId}/${INCIDENT_NODE}$`));
  const hands = keyboard(page);
  const form = await openOutcome(page, hands, words.chooseFailed);
  await writeProof(form, hands, words, words.outcomeNote);
  await typeIdentifier(form, hands, words, identifierOfNode(KEY));
  await expectReady(form);
  await expectAccessible(page);
  await takeScreen(page, "unknown-resolve-en-contrast");

  const reason = join(dataDir, "why.txt");
  await writeFile(reason, "seen complete by the other shift");
  const resolved = await command([
    ...["resolve-node", "--run-id", incident.runId, "--node-id", INCIDENT_NODE, "--to", "CANCELLED"],
    ...["--reason-file", reason, "--evidence-ref", "INC-1", "--stop-confirmed-by", "sato"],
    ...["--stop-evidence-ref", "INC-1#2", "--data-dir", dataDir],
  ]);
  expect(resolved.exitCode).toBe(0);
  await hands.press(confirmIn(form));
  await expect(form.getByText(/PLAN_STALE|NODE_NOT_RESOLVABLE/).first()).toBeVisible();
  await expect(page.locator('[data-decision="CANCELLED"]')).toContainText("sato");
  await expect(page.locator('[data-decision="FAILED"]')).toHaveCount(0);
});
