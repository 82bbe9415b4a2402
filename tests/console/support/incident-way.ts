import { expect, type Locator, type Page } from "@playwright/test";
import { INCIDENT_NODE } from "../../support/incident.ts";
import type { Hands } from "./hands.ts";
import type { Words } from "./incident-words.ts";

export const stepOf = (page: Page, step: string): Locator => page.locator(`li[data-step="${step}"]`);
export const confirmIn = (where: Page | Locator): Locator => where.getByTestId("confirm");
export const phaseIn = (where: Page | Locator): Locator => where.getByTestId("outcome");

/** How each step of the recovery stands, in order. */
export async function expectSteps(page: Page, states: readonly string[]): Promise<void> {
  await expect
    .poll(() => page.locator("li[data-step]").evaluateAll((steps) => steps.map((each) => each.dataset.state)))
    .toEqual(states);
}

/** A field by the whole of its name. */
export const fieldOf = (where: Locator, name: string): Locator =>
  where.getByRole("textbox", { name, exact: true });

/** Fills in the proof every L3 and L4 asks for. */
export async function writeProof(form: Locator, hands: Hands, words: Words, note: string): Promise<void> {
  await hands.write(fieldOf(form, words.confirmedBy), words.who);
  await hands.write(fieldOf(form, words.evidence), note);
  await hands.write(fieldOf(form, words.reason), words.why);
}

/** The identifier the form asks for, as it shows it, typed. */
export async function typeIdentifier(form: Locator, hands: Hands, words: Words, text: string): Promise<void> {
  await hands.write(fieldOf(form, words.identifier), text);
}

/** Acts alone, with the sentence the form shows. */
export async function actAlone(form: Locator, hands: Hands, words: Words): Promise<void> {
  await hands.choose(form.getByRole("radio", { name: words.alone }));
  const sentence = (await form.getByText(words.alonePattern).textContent()) ?? "";
  await hands.write(fieldOf(form, words.sentence), sentence);
}

interface Animated {
  getAnimations(): readonly { readonly playState: string }[];
}

/** Everything is said, and the pause before the button works is over. */
export async function expectReady(where: Locator): Promise<void> {
  await expect(confirmIn(where)).not.toHaveAttribute("aria-disabled", "true");
  // Its colours fade in; while they do they are those of neither state.
  // Asked again and again: one that is replaced by the next one never finishes.
  await expect
    .poll(() =>
      confirmIn(where).evaluate(
        (button: Animated) =>
          button.getAnimations().filter(({ playState }) => playState === "running").length,
      ),
    )
    .toBe(0);
}

/**
 * Confirms what is complete, until `told` says so. A plan that is made anew between the look and the press has the button
 * wait once more, and the press does nothing (operator-ux §2.1): whoever sees that presses again.
 */
export async function confirm(where: Locator, hands: Hands, told: Locator): Promise<void> {
  await expect(async () => {
    if (await told.isVisible()) return;
    await expectReady(where);
    await hands.press(confirmIn(where));
    await expect(told).toBeVisible({ timeout: 5_000 });
  }).toPass({ timeout: 60_000 });
}

/** Confirms what is complete, and waits for its end. */
export async function confirmAndWait(where: Locator, hands: Hands): Promise<void> {
  await confirm(where, hands, phaseIn(where));
  await expect(phaseIn(where)).toHaveAttribute("data-phase", "done", { timeout: 60_000 });
}

/** Resumes the Run out of the dialog that is open, with a reason. */
export async function resumeIn(page: Page, hands: Hands, words: Words): Promise<Locator> {
  const dialog = page.getByRole("dialog");
  await hands.write(fieldOf(dialog, words.reason), words.why);
  await confirmAndWait(dialog, hands);
  return dialog;
}

/** Opens the form of an outcome beside the evidence of the node. */
export async function openOutcome(page: Page, hands: Hands, choose: string): Promise<Locator> {
  await hands.press(page.getByRole("button", { name: choose }));
  const form = page.getByRole("complementary");
  await expect(confirmIn(form)).toBeVisible();
  return form;
}

export const identifierOfNode = (businessKey: string): string => `${businessKey}/${INCIDENT_NODE}`;
