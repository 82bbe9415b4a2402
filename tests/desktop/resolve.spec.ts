import { join } from "node:path";
import { mouse } from "../console/support/hands.ts";
import {
  confirmAndWait,
  expectSteps,
  identifierOfNode,
  openOutcome,
  stepOf,
  typeIdentifier,
  writeProof,
} from "../console/support/incident-way.ts";
import { WORDS } from "../console/support/incident-words.ts";
import { INCIDENT_NODE, makeIncident } from "../support/incident.ts";
import { collectComplaints, expect, openedPage, test } from "./support/desktop-test.ts";

const KEY = "deal_close@2026-11";

test("An unknown result is resolved in the window, and the steps of the recovery follow (screens, 結果不明)", async ({
  folder,
  start,
}) => {
  const words = WORDS.ja;
  const incident = await makeIncident(join(folder, "data"), KEY, "child");
  const page = await openedPage(start());
  const complaints = collectComplaints(page);
  const open = (hash: string): Promise<unknown> => page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
  await open(`#/recovery/run/${incident.runId}`);
  await expectSteps(page, ["needless", "needless", "needless", "done", "now", "later", "later", "later"]);
  await stepOf(page, "resolve").getByRole("link").click();
  await expect(page.locator(`tr[data-evidence="child"]`)).toContainText(String(incident.childPid));
  await page.getByRole("button", { name: words.query }).click();
  await expect(page.locator("section[data-app]")).toContainText("3,600件");
  const form = await openOutcome(page, mouse, words.chooseFailed);
  await form.getByRole("button", { name: words.attach }).click();
  await expect(form.locator('li[data-file="kept"]')).toBeVisible();
  await writeProof(form, mouse, words, words.outcomeNote);
  await typeIdentifier(form, mouse, words, identifierOfNode(KEY));
  await confirmAndWait(form, mouse);
  await expect(page.locator('[data-decision="FAILED"]')).toContainText(words.who);
  await open(`#/recovery/run/${incident.runId}`);
  await expectSteps(page, ["needless", "needless", "needless", "done", "done", "now", "later", "later"]);
  await expect(stepOf(page, "resolve")).toContainText(INCIDENT_NODE);
  expect(complaints).toEqual([]);
});
