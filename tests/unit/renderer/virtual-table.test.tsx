import { cleanup, fireEvent, render } from "@testing-library/react";
import { useState } from "react";
import { I18nextProvider } from "react-i18next";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type RowProps, VirtualTable } from "../../../renderer/components/virtual-table.tsx";
import { createTexts } from "../../../renderer/text/i18n.ts";

const HEIGHT = 640;
const sizes = { offsetHeight: HEIGHT, offsetWidth: 960, clientHeight: HEIGHT } as const;
const kept = new Map<string, PropertyDescriptor | undefined>();

// jsdom lays nothing out: every element has the height of the list's frame.
beforeAll(() => {
  for (const [name, value] of Object.entries(sizes)) {
    kept.set(name, Object.getOwnPropertyDescriptor(HTMLElement.prototype, name));
    Object.defineProperty(HTMLElement.prototype, name, { configurable: true, value });
  }
  // Where jsdom has no scrolling, the place asked for is taken at once.
  HTMLElement.prototype.scrollTo = function scrollTo(this: HTMLElement, options?: unknown) {
    const top = typeof options === "object" && options !== null && "top" in options ? Number(options.top) : 0;
    this.scrollTop = top;
    this.dispatchEvent(new Event("scroll"));
  };
});
afterAll(() => {
  for (const [name, descriptor] of kept) {
    if (descriptor) Object.defineProperty(HTMLElement.prototype, name, descriptor);
    else Reflect.deleteProperty(HTMLElement.prototype, name);
  }
});
afterEach(cleanup);

const keysOf = (count: number): readonly string[] => Array.from({ length: count }, (_, at) => `key ${at}`);

function Cells({ rowKey, target }: RowProps) {
  return (
    <>
      <td>
        <button type="button" {...target}>
          {rowKey}
        </button>
      </td>
      <td>value</td>
    </>
  );
}

const columns = [
  { key: "a", label: "A" },
  { key: "b", label: "B" },
];

async function show(keys: readonly string[], onRange?: (first: number, last: number) => void) {
  const texts = await createTexts("ja");
  const list = (shown: readonly string[]) => (
    <I18nextProvider i18n={texts}>
      <VirtualTable
        caption="list"
        columns={columns}
        keys={shown}
        Cells={Cells}
        {...(onRange && { onRange })}
      />
    </I18nextProvider>
  );
  const view = render(list(keys));
  return { ...view, update: (next: readonly string[]) => view.rerender(list(next)) };
}

const rows = (container: HTMLElement) => [...container.querySelectorAll("tr[data-row-key]")];
const tabStops = (container: HTMLElement) =>
  [...container.querySelectorAll('[data-row-target][tabindex="0"]')].map((each) => each.textContent);
const focused = () => document.activeElement?.textContent;

const three = keysOf(3);

function Sorted() {
  const [state, setState] = useState<"ascending" | "descending">("ascending");
  const toggle = (): void => setState(state === "ascending" ? "descending" : "ascending");
  return (
    <VirtualTable
      caption="list"
      columns={[
        { key: "a", label: "A", sort: { state, toggle } },
        { key: "b", label: "B" },
      ]}
      keys={three}
      Cells={Cells}
    />
  );
}

describe("the list of any length (operator-ux §3.2, U5)", () => {
  it("keeps at most 60 of 10,000 rows in the document and says how many there are", async () => {
    const { container } = await show(keysOf(10_000));
    const table = container.querySelector("table");
    expect(container.querySelectorAll("tr").length).toBeLessThanOrEqual(60);
    expect(rows(container).length).toBeGreaterThan(10);
    expect(table?.getAttribute("aria-rowcount")).toBe("10001");
    expect(table?.getAttribute("aria-colcount")).toBe("2");
    expect(rows(container)[0]?.getAttribute("aria-rowindex")).toBe("2");
  });

  it("tells which rows are in sight", async () => {
    const ranges: (readonly [number, number])[] = [];
    await show(keysOf(10_000), (first, last) => ranges.push([first, last]));
    expect(ranges.at(-1)?.[0]).toBe(0);
    expect(ranges.at(-1)?.[1]).toBeGreaterThanOrEqual(19);
  });

  it.each<[readonly string[], string]>([
    [["ArrowDown", "ArrowDown"], "key 2"],
    [["End"], "key 9999"],
    [["End", "ArrowUp"], "key 9998"],
    [["End", "Home"], "key 0"],
    [["PageDown"], "key 18"],
    [["PageDown", "PageUp"], "key 0"],
    [["ArrowUp"], "key 0"],
  ])(
    "the keys %j lead the focus to %s, whether its row was in the document or not",
    async (pressed, expected) => {
      const { container } = await show(keysOf(10_000));
      container.querySelector<HTMLElement>('[data-row-target][tabindex="0"]')?.focus();
      for (const key of pressed) fireEvent.keyDown(document.activeElement ?? document.body, { key });
      expect(focused()).toBe(expected);
      expect(tabStops(container)).toEqual([expected]);
      expect(container.querySelectorAll("tr").length).toBeLessThanOrEqual(60);
    },
  );

  it("leaves keys with a modifier and keys of an IME alone", async () => {
    const { container } = await show(keysOf(100));
    container.querySelector<HTMLElement>('[data-row-target][tabindex="0"]')?.focus();
    for (const init of [{ ctrlKey: true }, { altKey: true }, { isComposing: true }]) {
      fireEvent.keyDown(document.activeElement ?? document.body, { key: "ArrowDown", ...init });
    }
    expect(focused()).toBe("key 0");
  });

  it("keeps the focused row through an update that puts others before it", async () => {
    const { container, update } = await show(keysOf(100));
    container.querySelector<HTMLElement>('[data-row-target][tabindex="0"]')?.focus();
    fireEvent.keyDown(document.activeElement ?? document.body, { key: "ArrowDown" });
    const element = document.activeElement;
    update(["new 1", "new 2", ...keysOf(100)]);
    expect(document.activeElement).toBe(element);
    expect(focused()).toBe("key 1");
    expect(tabStops(container)).toEqual(["key 1"]);
  });

  it("keeps the focused row in the document when it is scrolled out of sight", async () => {
    const { container } = await show(keysOf(10_000));
    container.querySelector<HTMLElement>('[data-row-target][tabindex="0"]')?.focus();
    const frame = container.querySelector("section");
    if (frame === null) throw new Error("the list has no frame");
    frame.scrollTop = 100_000;
    fireEvent.scroll(frame);
    expect(focused()).toBe("key 0");
    expect(rows(container).map((row) => row.textContent)).toContain("key 3125value");
    expect(container.querySelectorAll("tr").length).toBeLessThanOrEqual(60);
  });

  it("has one tab stop whatever is in it", async () => {
    const { container, update } = await show(keysOf(3));
    expect(tabStops(container)).toEqual(["key 0"]);
    update([]);
    expect(rows(container)).toEqual([]);
  });

  it("says which way it is ordered and turns it at a press", async () => {
    const texts = await createTexts("ja");
    const { container } = render(
      <I18nextProvider i18n={texts}>
        <Sorted />
      </I18nextProvider>,
    );
    const head = container.querySelector("th");
    expect(head?.getAttribute("aria-sort")).toBe("ascending");
    fireEvent.click(head?.querySelector("button") ?? container);
    expect(head?.getAttribute("aria-sort")).toBe("descending");
    expect(container.querySelectorAll("th")[1]?.hasAttribute("aria-sort")).toBe(false);
  });
});
