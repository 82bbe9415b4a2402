import { mkdtemp, readdir, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { INCIDENT_LEASE_MS, INCIDENT_NODE, type Incident, makeIncident } from "../support/incident.ts";
import { type ConsoleProcess, startConsole } from "./support/console-process.ts";
import { test as base, expect, expectAccessible, takeScreen } from "./support/console-test.ts";
import { type Hands, keyboard, mouse } from "./support/hands.ts";
import {
  actAlone,
  confirmAndWait,
  confirmIn,
  expectReady,
  expectSteps,
  fieldOf,
  identifierOfNode,
  openOutcome,
  resumeIn,
  stepOf,
  typeIdentifier,
  writeProof,
} from "./support/incident-way.ts";
import { WORDS, type Words } from "./support/incident-words.ts";

const KEY = "deal_close@2026-09";
const JOB_KEY = `local:deal_close_${INCIDENT_NODE}`;
/** The lease, its margin, and the minute that stored times have lost. */
const LATER_MS = INCIDENT_LEASE_MS + 3 * 60_000;

/** Pages of this way alone; the dialogs it goes through are looked at where they are tested. */
const AUDITED: ReadonlySet<string> = new Set(["recovery", "evidence", "resolve-filled", "succeeded"]);

interface Night {
  readonly dataDir: string;
  readonly incident: Incident;
  readonly console: ConsoleProcess;
}

/** A console that is opened after an orchestrator of this host and its job were killed in the middle of a write. */
const test = base.extend<{ readonly night: Night }>({
  night: async ({ browserName: _ }, use) => {
    const dataDir = await mkdtemp(join(tmpdir(), "flownet-incident-"));
    const incident = await makeIncident(dataDir, KEY, "both");
    const env = { FLOWNET_TEST_CLOCK_OFFSET_MS: String(LATER_MS) };
    const console = await startConsole({ dataDir, env });
    await use({ dataDir, incident, console });
    await console.stop();
  },
});

const LANGUAGES = [
  { language: "ja", theme: "light", by: "mouse" },
  { language: "en", theme: "dark", by: "keyboard" },
] as const;

for (const { language, theme, by } of LANGUAGES) {
  test(`The worked incident is recovered from the screens alone, in ${language} and by ${by} (operator-ux §2.3)`, async ({
    night,
    quietPage: page,
  }) => {
    test.setTimeout(240_000);
    // Tall enough for a whole form beside its evidence.
    await page.setViewportSize({ width: 1280, height: 1100 });
    await page.goto(night.console.link);
    await page.evaluate(
      (look) => {
        window.localStorage.setItem("flownet.language", look.language);
        window.localStorage.setItem("flownet.theme", look.theme);
      },
      { language, theme },
    );
    await page.reload();
    const hands = by === "mouse" ? mouse : keyboard(page);
    const way = createWay(page, hands, WORDS[language], night, language);
    await way.find();
    await way.release();
    await way.judge();
    await way.resolve();
    await way.unlockJob();
    await way.succeed();
    await way.audit();
  });
}

/** The way through the incident, screen by screen, each with its picture. */
function createWay(page: Page, hands: Hands, words: Words, night: Night, language: string) {
  const { incident } = night;
  let taken = 0;
  const picture = async (name: string): Promise<void> => {
    taken += 1;
    if (AUDITED.has(name)) await expectAccessible(page);
    await takeScreen(page, `incident/${language}-${String(taken).padStart(2, "0")}-${name}`);
  };
  const goTo = (hash: string): Promise<void> =>
    page.evaluate((address) => {
      window.location.hash = address;
    }, hash);
  return {
    /** 要対応 says what is wrong; the steps of the recovery say where it stands, with the real PID. */
    async find(): Promise<void> {
      const stale = page.locator('li[data-kind="staleLock"]');
      await expect(stale).toBeVisible();
      await expect(page.locator('li[data-kind="interrupted"]')).toBeVisible();
      await picture("attention");
      await hands.press(stale.getByRole("link", { name: words.recovery }));
      await expectSteps(page, ["done", "done", "now", "later", "later", "later", "later", "later"]);
      await expect(page).toHaveURL(new RegExp(`#/recovery/run/${incident.runId}$`));
      await expect(stepOf(page, "staleLock")).toContainText(String(incident.ownerPid));
      await expect(stepOf(page, "adjudicate")).toContainText(INCIDENT_NODE);
      await picture("recovery");
    },
    /** 強制解放: impossible until everything is said, then done. */
    async release(): Promise<void> {
      await hands.press(page.getByRole("link", { name: words.release }));
      const drawer = page.getByRole("dialog");
      await expect(drawer.getByTestId("release-gate")).toHaveAttribute("data-gate", "open");
      await expect(fieldOf(drawer, "PID")).toHaveValue(String(incident.ownerPid));
      await expect(confirmIn(drawer)).toHaveAttribute("aria-disabled", "true");
      for (const lack of words.allLacks) await expect(drawer).toContainText(lack);
      await picture("release");
      await writeProof(drawer, hands, words, words.stopNote);
      const owner = (await drawer.locator('[data-step="facts"] dd').first().textContent()) ?? "";
      await typeIdentifier(drawer, hands, words, owner.trim().slice(-8));
      await actAlone(drawer, hands, words);
      await expectReady(drawer);
      await picture("release-filled");
      await confirmAndWait(drawer, hands);
      await expect(drawer.getByTestId("released")).toBeVisible();
      await picture("released");
      await goTo(`#/recovery/run/${incident.runId}`);
    },
    /** 裁定の見込み, then the resume that judges: nobody knows how the killed job ended. */
    async judge(): Promise<void> {
      await expectSteps(page, ["done", "done", "done", "now", "later", "later", "later", "later"]);
      await expect(stepOf(page, "adjudicate").locator("tr[data-node]")).toContainText("NO_EXECUTION_RESULT");
      await picture("forecast");
      await hands.press(page.getByRole("button", { name: words.judge }));
      const dialog = await resumeIn(page, hands, words);
      await picture("judged");
      await hands.press(dialog.getByRole("button", { name: words.compare }));
      await expectSteps(page, ["done", "done", "done", "done", "now", "later", "later", "later"]);
      await picture("unknown-step");
    },
    /** 結果不明 → 裁定: the evidence, the business data, the form beside them, the comparison as a file. */
    async resolve(): Promise<void> {
      await hands.press(stepOf(page, "resolve").getByRole("link"));
      await expect(page.locator('tr[data-evidence="child"]')).toHaveAttribute("data-shows", "childGone");
      await expect(page.locator('tr[data-evidence="child"]')).toContainText(String(incident.childPid));
      await expect(page.locator('tr[data-evidence="sqlStart"]')).toHaveAttribute("data-reading", "present");
      const condition = page.getByLabel(words.condition);
      await hands.write(condition, '担当者 in ("締め処理 1", "締め処理 2", "締め処理 3")');
      await hands.press(page.getByRole("button", { name: words.query }));
      await expect(page.locator("section[data-app] table")).toBeVisible();
      await picture("evidence");
      const form = await openOutcome(page, hands, words.chooseFailed);
      await expect(confirmIn(form)).toHaveAttribute("aria-disabled", "true");
      await hands.press(form.getByRole("button", { name: words.attach }));
      await expect(form.locator('li[data-file="kept"]')).toContainText("SHA-256");
      await writeProof(form, hands, words, words.outcomeNote);
      await typeIdentifier(form, hands, words, identifierOfNode(KEY));
      await expectReady(form);
      await picture("resolve-filled");
      await confirmAndWait(form, hands);
      await picture("resolved");
    },
    /** ジョブロック: the killed job holds it still, and would be turned away by it. */
    async unlockJob(): Promise<void> {
      await goTo(`#/recovery/run/${incident.runId}`);
      await expectSteps(page, ["done", "done", "done", "done", "done", "now", "later", "later"]);
      await expect(stepOf(page, "resolve")).toContainText(words.who);
      await picture("job-lock-step");
      await hands.press(stepOf(page, "jobLock").getByRole("link"));
      await hands.press(page.getByRole("button", { name: words.unlockJob }));
      const dialog = page.getByRole("dialog");
      await expect(confirmIn(dialog)).toBeVisible();
      await writeProof(dialog, hands, words, words.stopNote);
      await typeIdentifier(dialog, hands, words, JOB_KEY);
      await actAlone(dialog, hands, words);
      await expectReady(dialog);
      await picture("job-lock-filled");
      await confirmAndWait(dialog, hands);
      await picture("job-unlocked");
      await hands.press(dialog.getByRole("button", { name: words.close, exact: true }));
    },
    /** 再開 → 成功. */
    async succeed(): Promise<void> {
      await goTo(`#/recovery/run/${incident.runId}`);
      await expectSteps(page, ["done", "done", "done", "done", "done", "done", "now", "later"]);
      await hands.press(stepOf(page, "resume").getByRole("button", { name: words.resume }));
      const dialog = await resumeIn(page, hands, words);
      await picture("resumed");
      await hands.press(dialog.getByRole("button", { name: words.close, exact: true }));
      await expectSteps(page, Array(8).fill("done"));
      await picture("succeeded");
      await goTo("#/attention");
      await expect(page.locator(`li[data-item*="${incident.runId}"]`)).toHaveCount(0);
    },
    /** 監査履歴: who confirmed what with which evidence; the file itself lies under its hash. */
    async audit(): Promise<void> {
      await goTo("#/audit");
      await expect(page.getByText(words.who).first()).toBeVisible();
      await picture("audit");
      const kept = await readdir(join(night.dataDir, "evidence"));
      const comparison = kept.find((name) => name.endsWith(`comparison-${INCIDENT_NODE}-1.json`));
      const file = JSON.parse(await readFile(join(night.dataDir, "evidence", comparison ?? ""), "utf8"));
      expect(file).toMatchObject({
        kind: "FLOWNET_UNKNOWN_COMPARISON",
        node: { runId: incident.runId, nodeId: INCIDENT_NODE },
      });
      expect(file.businessData.targets[0].matching).toBeGreaterThan(0);
    },
  };
}
