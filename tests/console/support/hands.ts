import { expect, type Locator, type Page } from "@playwright/test";

/** How an operator does something: with the mouse, or without one. */
export interface Hands {
  /** A button or a link. */
  press(target: Locator): Promise<void>;
  write(field: Locator, text: string): Promise<void>;
  /** A box that is to be ticked. */
  tick(box: Locator): Promise<void>;
  /** One of several, by its radio. */
  choose(radio: Locator): Promise<void>;
}

export const mouse: Hands = {
  press: (target) => target.click(),
  write: (field, text) => field.fill(text),
  tick: (box) => box.check(),
  choose: (radio) => radio.check(),
};

/** Presses of Tab within which everything of a page has to be reached. */
const TABS_MAX = 150;

/** Nothing but the keyboard (operator-ux §4, 2.1.1): Tab to it, then Enter, Space, arrows or the text itself. */
export function keyboard(page: Page): Hands {
  const reach = async (target: Locator): Promise<void> => {
    await expect(target).toBeVisible();
    for (let presses = 0; presses < TABS_MAX; presses++) {
      if ((await target.and(page.locator(":focus")).count()) > 0) return;
      await page.keyboard.press("Tab");
    }
    throw new Error(`${target} is not reached within ${TABS_MAX} presses of Tab`);
  };
  return {
    async press(target) {
      await reach(target);
      await page.keyboard.press("Enter");
    },
    async write(field, text) {
      await reach(field);
      await page.keyboard.press("ControlOrMeta+a");
      await page.keyboard.insertText(text);
    },
    async tick(box) {
      await reach(box);
      if (!(await box.isChecked())) await page.keyboard.press("Space");
    },
    async choose(radio) {
      const name = await radio.getAttribute("name");
      const group = page.locator(`input[type="radio"][name="${name}"]`);
      const checked = group.and(page.locator(":checked"));
      await reach((await checked.count()) > 0 ? checked : group.first());
      for (let presses = 0; presses < (await group.count()); presses++) {
        if (await radio.isChecked()) return;
        await page.keyboard.press("ArrowDown");
      }
      await expect(radio).toBeChecked();
    },
  };
}
