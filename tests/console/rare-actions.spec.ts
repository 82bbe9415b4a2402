import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Locator, Page } from "@playwright/test";
import { type OpenedWorkspace, openEmbedded } from "../../main/console/index.ts";
import { refOf } from "../support/lone-faults.ts";
import { serveConsole } from "../support/served-console.ts";
import { appointApprovers } from "./support/approvers.ts";
import { test as base, expect, expectAccessible, takeScreen } from "./support/console-test.ts";
import { allowGated, makeGatedRun, writeGated } from "./support/gated-runs.ts";
import { type Hands, keyboard, mouse } from "./support/hands.ts";
import { confirm, confirmAndWait, confirmIn, expectReady, fieldOf, phaseIn } from "./support/incident-way.ts";
import { OPERATORS, type Operator, WORDS } from "./support/rare-words.ts";
import { closeWithoutAudit, type UnauditedClose } from "./support/unaudited-close.ts";

const PAGES = process.env.FLOWNET_TEST_PAGES;
const PASSPHRASE = "seven words that only suzuki knows";
const minutesAgo = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString();

interface Night {
  readonly link: string;
  readonly workspace: OpenedWorkspace;
  /** A Run of a network of that name fails at its gate; its id. */
  fail(networkId: string): Promise<string>;
}

/** A console whose operators are two approvers, on data of its own. */
const test = base.extend<{ readonly night: Night }>({
  night: async ({ browserName: _ }, use) => {
    const dataDir = await mkdtemp(join(tmpdir(), "flownet-rare-"));
    await appointApprovers(dataDir, "suzuki");
    const networks = await writeGated(join(dataDir, "definitions"), ["stock_check", "price_check"]);
    await allowGated(dataDir, networks);
    const workspace = await openEmbedded({ dataDir, env: process.env, endServer: true });
    const served = await serveConsole(workspace, PAGES);
    const fail = async (networkId: string): Promise<string> => {
      const definition = networks.find((each) => each.networkId === networkId)?.definition ?? "";
      return makeGatedRun(dataDir, definition, keyOf(networkId));
    };
    await use({ link: served.link(), workspace, fail });
    await served.close();
    await workspace.dispose();
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
  },
});
test.setTimeout(180_000);
test.use({ actionTimeout: 15_000 });

const keyOf = (networkId: string): string => `${networkId}@2026-09-04`;
const dialog = (page: Page): Locator => page.getByRole("dialog");
const handsOf = (page: Page, { by }: Operator): Hands => (by === "mouse" ? mouse : keyboard(page));

const goTo = (page: Page, hash: string): Promise<void> =>
  page.evaluate((to) => {
    window.location.hash = to;
  }, hash);

async function openAs(page: Page, link: string, { language, theme }: Operator): Promise<void> {
  await page.goto(link);
  await page.evaluate(
    (look) => {
      window.localStorage.setItem("flownet.language", look.language);
      window.localStorage.setItem("flownet.theme", look.theme);
    },
    { language, theme },
  );
  await page.reload();
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
}

/** Opens an item of the Run's menu. */
async function choose(page: Page, operator: Operator, item: RegExp): Promise<void> {
  await handsOf(page, operator).press(page.getByRole("button", { name: WORDS[operator.language].actions }));
  const wanted = page.getByRole("menuitem", { name: item });
  await expect(wanted).toBeVisible();
  if (operator.by === "mouse") await wanted.click();
  else {
    await expect(page.getByRole("menuitem").and(page.locator(":focus"))).toHaveCount(1);
    for (let presses = 0; presses < 10; presses++) {
      if ((await wanted.and(page.locator(":focus")).count()) > 0) break;
      await page.keyboard.press("ArrowDown");
    }
    await expect(wanted).toBeFocused();
    await page.keyboard.press("Enter");
  }
  await expect(dialog(page)).toBeVisible();
  await expect(dialog(page).getByTestId("plan-age")).toBeVisible();
  // Where nothing happens yet (operator-ux D3).
  await expect(
    dialog(page).getByRole("button", { name: WORDS[operator.language].close, exact: true }),
  ).toBeFocused();
}

for (const operator of OPERATORS) {
  const { language, theme, by } = operator;
  const words = WORDS[language];
  const where = `in ${language}, ${theme}, by ${by}`;

  test(`A Run that was closed without its audit is given that one audit, ${where} (orchestration §4.8)`, async ({
    night,
    quietPage: page,
  }) => {
    const runId = await night.fail("stock_check");
    const reported = await closeWithoutAudit(night.workspace, runId);
    const hands = handsOf(page, operator);
    await openAs(page, night.link, operator);

    await goTo(page, `#/requests/${reported.requestId}`);
    const request = page.getByRole("complementary");
    await expect(request).toContainText("RUN_ARCHIVED_AUDIT_PENDING");
    await expect(request).toContainText(reported.eventId);
    await hands.press(request.getByRole("link", { name: keyOf("stock_check") }));
    await expect(page.getByRole("heading", { level: 1, name: keyOf("stock_check") })).toBeVisible();

    await choose(page, operator, words.completeAudit);
    await expectWaitsForFacts(page, operator, reported);
    await expectReady(dialog(page));
    await expectAccessible(page);
    await takeScreen(page, `rare-audit-${language}-${theme}`);
    await confirmAndWait(dialog(page), hands);
    await expect(phaseIn(dialog(page))).toContainText(words.applied);
    await expect(phaseIn(dialog(page))).toContainText(reported.eventId);
    await expectAccessible(page);
    await hands.press(dialog(page).getByRole("button", { name: words.close, exact: true }));
    await expect(dialog(page)).toHaveCount(0);

    await goTo(page, "#/audit?kind=close");
    const record = page.locator("tr[data-audit]");
    await expect(record).toHaveCount(1);
    await hands.press(record.getByRole("link"));
    const detail = page.getByRole("complementary");
    await expect(detail).toContainText(reported.eventId);
    await expect(detail).toContainText(reported.archivedAt);
    await takeScreen(page, `rare-audited-${language}-${theme}`);
  });
}

/** The button stays shut, and says why, until every reported fact stands there in its form (operator-ux D11). */
async function expectWaitsForFacts(
  page: Page,
  operator: Operator,
  { eventId, archivedAt, previousStatus, revision }: UnauditedClose,
): Promise<void> {
  const words = WORDS[operator.language];
  const hands = handsOf(page, operator);
  const form = dialog(page);
  const fact = (name: string): Locator => fieldOf(form, name);
  await expect(confirmIn(form)).toHaveAttribute("aria-disabled", "true");
  await expect(form).toContainText(words.missing.fact);
  await expect(form).toContainText(words.missing.reason);
  await hands.write(fact(words.eventId), eventId);
  await hands.write(fact(words.archivedAt), archivedAt.replace("Z", "+09:00"));
  await expect(form.getByRole("combobox", { name: words.previousStatus })).toHaveValue(previousStatus);
  await hands.write(form.getByRole("spinbutton", { name: words.revision }), String(revision));
  await hands.write(fact(words.reason), "クローズの監査履歴が拒否されたため補う");
  await expect(form).toContainText(words.missing.time);
  await expect(form).not.toContainText(words.missing.reason);
  await expect(confirmIn(form)).toHaveAttribute("aria-disabled", "true");
  await hands.write(fact(words.archivedAt), archivedAt);
}

/** A START that was claimed by a host which has shown no sign of life since; its `$id`. */
async function claimSilently({ requestStore }: OpenedWorkspace): Promise<string> {
  if (requestStore === null) throw new Error("no request app");
  const filed = await refOf(
    requestStore.insertRequest({
      type: "START",
      runId: null,
      networkId: "stock_check",
      businessKey: keyOf("stock_check"),
      scheduledFor: null,
      rerunFromNode: null,
      reason: "月次の締めの前に必要です",
    }),
  );
  await refOf(requestStore.claim(filed, { host: "HOST-B", at: minutesAgo(47) }));
  return filed.recordId;
}

for (const operator of OPERATORS) {
  const { language, theme, by } = operator;
  const words = WORDS[language];

  test(`A claim that fell silent is ended on a person's word, in ${language}, ${theme}, by ${by} (orchestration §7.4)`, async ({
    night,
    quietPage: page,
  }) => {
    const id = await claimSilently(night.workspace);
    const hands = handsOf(page, operator);
    await openAs(page, night.link, operator);
    const stale = page.locator('li[data-kind="staleRequest"]');
    const request = page.getByRole("complementary");
    if (by === "mouse") await hands.press(stale.getByRole("button", { name: words.settle }));
    else {
      await hands.press(stale.getByRole("link").first());
      await expect(page).toHaveURL(new RegExp(`#/requests/${id}$`));
      await hands.press(request.getByRole("button", { name: words.settle }));
    }

    const form = dialog(page);
    await expect(form.getByTestId("plan-age")).toBeVisible();
    await expect(form).toContainText("STALE");
    await expect(confirmIn(form)).toHaveAttribute("aria-disabled", "true");
    await hands.write(fieldOf(form, words.confirmedBy), "田中");
    await hands.write(fieldOf(form, words.evidence), "HOST-B の tasklist を 03:12 に確認。該当なし");
    await hands.write(fieldOf(form, words.reason), "HOST-B は再起動され、受付は続きません");
    await expect(confirmIn(form)).toHaveAttribute("aria-disabled", "true");
    await hands.write(fieldOf(form, words.identifier), id);
    await expectReady(form);
    await expectAccessible(page);
    await takeScreen(page, `rare-settle-${language}-${theme}`);
    await confirmAndWait(form, hands);
    await expect(phaseIn(form)).toContainText(words.applied);
    await expectAccessible(page);
    await hands.press(form.getByRole("button", { name: words.close, exact: true }));

    await goTo(page, `#/requests/${id}`);
    await expect(page.locator(`tr[data-request="${id}"] [data-state]`)).toHaveText(words.settled);
    await expect(request).toContainText("STALE");
    await expect(request).toContainText("stop_confirmed_by=田中");
    await expect(request.getByRole("button", { name: words.settle })).toHaveCount(0);
    await goTo(page, "#/attention");
    await expect(stale).toHaveCount(0);
    // No Run came of it: nothing was started.
    expect(await startedRun(night)).toBeNull();
  });
}

const startedRun = ({ workspace }: Night) =>
  workspace.reads.findRunByKey({
    profile: workspace.profile,
    networkId: "stock_check",
    businessKey: keyOf("stock_check"),
  });

test("A second person consents to a close inside its dialog, by keyboard alone (operator-ux §2.4)", async ({
  night,
  quietPage: page,
}) => {
  const operator = OPERATORS[1];
  if (operator === undefined) throw new Error("nobody works by keyboard");
  const runId = await night.fail("price_check");
  const hands = keyboard(page);
  await openAs(page, night.link, operator);
  await goTo(page, "#/settings/approvers");
  await registerPassphrase(page, hands);

  await goTo(page, `#/runs/${runId}`);
  await expect(page.getByRole("heading", { level: 1, name: keyOf("price_check") })).toBeVisible();
  await choose(page, operator, /^Close/);
  const form = dialog(page);
  await expect(form.getByRole("radio", { name: "An approver consents here" })).toBeChecked();
  await hands.write(fieldOf(form, "Reason"), "summed up in the next day");
  await hands.write(fieldOf(form, "Confirmation"), keyOf("price_check"));
  await expect(form).toContainText("Account and passphrase of the approver");
  await expect(confirmIn(form)).toHaveAttribute("aria-disabled", "true");
  const account = fieldOf(form, "Approver's account");
  const passphrase = form.getByLabel("Approver's passphrase");
  await hands.write(account, "suzuki");
  await hands.write(passphrase, "some other seven words");
  const refused = form.getByTestId("send-refused");
  await confirm(form, hands, refused);
  // The form begins at its top again; why it was refused stands at its end, and is where the eye and the focus are.
  await expect(refused).toContainText("CONSENT_REFUSED");
  await expect(refused).toBeInViewport({ ratio: 1 });
  await expect(refused).toBeFocused();
  await expect(passphrase).toHaveValue("");
  await expectAccessible(page);
  await takeScreen(page, "rare-consent-refused-en-dark");
  expect(await lifecycleOf(night, runId)).toBe("ACTIVE");

  await hands.write(passphrase, PASSPHRASE);
  await expectReady(form);
  await expectAccessible(page);
  await takeScreen(page, "rare-consent-en-dark");
  await confirmAndWait(form, hands);
  await expect(phaseIn(form)).toContainText("RUN_ARCHIVED");
  await expectAccessible(page);
  await hands.press(form.getByRole("button", { name: "Close", exact: true }));
  expect(await lifecycleOf(night, runId)).toBe("ARCHIVED");
  await goTo(page, "#/audit");
  await expect(page.getByRole("main")).toContainText("suzuki");
  expect(await page.content()).not.toContain(PASSPHRASE);
});

const lifecycleOf = async ({ workspace }: Night, runId: string): Promise<string | undefined> =>
  (await workspace.reads.findRunById(runId))?.lifecycle;

async function registerPassphrase(page: Page, hands: Hands): Promise<void> {
  const row = page.getByRole("row", { name: /suzuki/ });
  await hands.press(row.getByRole("button", { name: /^suzuki: / }));
  await hands.write(page.getByLabel("Passphrase", { exact: true }), PASSPHRASE);
  await hands.write(page.getByLabel("Passphrase, once more"), PASSPHRASE);
  await hands.press(row.getByRole("button", { name: "Register", exact: true }));
  await expect(row).toContainText("Registered");
}
