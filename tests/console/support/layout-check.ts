import { expect, type Page } from "@playwright/test";

/** Nothing makes the page itself scroll sideways; wide tables and drawings scroll inside their own frames (operator-ux §4, 1.4.10). */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const wide = await page.evaluate(() =>
    [document.documentElement, document.body, document.querySelector("main")]
      .filter((each) => each !== null)
      .filter((each) => each.scrollWidth > each.clientWidth + 1)
      .map((each) => `${each.tagName} ${each.scrollWidth} > ${each.clientWidth}`),
  );
  expect(wide).toEqual([]);
}

/** No word of a button is cut off by the button or by the window (operator-ux §4, 1.4.12). */
export async function expectWholeButtons(page: Page): Promise<void> {
  const cut = await page.evaluate(() => {
    const found: string[] = [];
    const buttons = document.querySelectorAll<HTMLElement>("button, [role=button], nav a, select, summary");
    for (const button of buttons) {
      const box = button.getBoundingClientRect();
      if (box.width === 0 || !button.checkVisibility({ visibilityProperty: true })) continue;
      const walker = document.createTreeWalker(button, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
        const holder = node.parentElement;
        // Words for screen readers alone, and names that end in dots with the whole of them in a tooltip.
        if (holder === null || holder.closest("option, [title]") !== null) continue;
        if (holder.getBoundingClientRect().width <= 1) continue;
        const range = document.createRange();
        range.selectNodeContents(node);
        const text = range.getBoundingClientRect();
        if (text.width === 0) continue;
        const inside = text.left >= box.left - 1 && text.right <= box.right + 1;
        if (!inside)
          found.push(`${button.textContent} (${Math.round(text.width)} in ${Math.round(box.width)})`);
      }
    }
    return found;
  });
  expect(cut).toEqual([]);
}

/** Each of the next `stops` places that Tab reaches shows that it has the focus (operator-ux §4, 2.4.7). */
export async function expectVisibleFocus(page: Page, stops: number): Promise<void> {
  const unseen: string[] = [];
  for (let stop = 0; stop < stops; stop++) {
    await page.keyboard.press("Tab");
    const lacking = await page.evaluate(() => {
      const focused = document.activeElement;
      if (!(focused instanceof HTMLElement) || focused === document.body) return null;
      const look = (): string => {
        const around = [
          focused,
          ...[focused.parentElement, focused.closest("tr")].filter((each) => each !== null),
        ];
        return around
          .flatMap((each) => [null, "::before", "::after"].map((part) => getComputedStyle(each, part)))
          .map((style) =>
            [
              style.outlineStyle,
              style.outlineWidth,
              style.boxShadow,
              style.borderColor,
              style.backgroundColor,
            ].join(),
          )
          .join();
      };
      const attribute = "data-fui-focus-visible";
      const marked = focused.getAttribute(attribute);
      const withFocus = look();
      focused.blur();
      focused.removeAttribute(attribute);
      const without = look();
      focused.focus({ preventScroll: true });
      if (marked !== null) focused.setAttribute(attribute, marked);
      return withFocus === without ? focused.outerHTML.slice(0, 160) : null;
    });
    if (lacking !== null) unseen.push(lacking);
  }
  expect(unseen).toEqual([]);
}
