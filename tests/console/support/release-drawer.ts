import { expect, type Locator, type Page } from "@playwright/test";

/** The drawer of a forced release, and its parts. */
export const drawerOf = (page: Page): Locator => page.getByRole("dialog");
export const stepOf = (page: Page, step: string): Locator => drawerOf(page).locator(`[data-step="${step}"]`);
export const gateOf = (page: Page): Locator => drawerOf(page).getByTestId("release-gate");
export const confirmOf = (page: Page): Locator => drawerOf(page).getByTestId("confirm");

/** The identifier the drawer asks for: the end of the owner it shows. */
export const identifierOf = async (page: Page): Promise<string> =>
  ((await stepOf(page, "facts").locator("dd").first().textContent()) ?? "").trim().slice(-8);

/** The sentence that takes the place of an approver, as it is shown. */
export const sentenceOf = async (page: Page): Promise<string> =>
  (await stepOf(page, "confirm")
    .getByText(/^(I do this to|承認者の同意なしに)/)
    .textContent()) ?? "";

/** The end of the release, as the drawer tells it. */
export async function expectReleased(page: Page): Promise<void> {
  await expect(drawerOf(page).getByTestId("outcome")).toHaveAttribute("data-phase", "done");
  await expect(drawerOf(page).getByTestId("released")).toBeVisible();
}
