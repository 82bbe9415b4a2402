import { describe, expect, it } from "vitest";
import { ENDED, type SourcePage, walkPages } from "../../../../../main/console/audit/cursor.ts";
import { nothing } from "../../../../../main/console/audit/item.ts";
import type { HistoryItem } from "../../../../../main/console/audit/ports.ts";

const item = (order: number): HistoryItem => ({
  entry: {
    ...nothing,
    key: `journal-${order}`,
    source: "journal",
    order: String(order),
    revision: null,
    kind: order % 2 === 0 ? "action" : "roles",
  },
  facts: {},
  problem: null,
});

/** Entries 9 to 1, three a page, one of them looked at and passed over by the source itself. */
function source() {
  const asked: (string | null)[] = [];
  const read = async (before: string | null): Promise<SourcePage> => {
    asked.push(before);
    const from = before === null ? 9 : Number(before) - 1;
    const items = [from, from - 1, from - 2].filter((order) => order > 0).map(item);
    return { items, looked: items.length + 1, next: from > 3 ? String(from - 2) : null };
  };
  return { asked, read };
}

async function taken(from: string | null, most: number, kind?: "action" | "roles") {
  const { asked, read } = source();
  const walk = walkPages({ filter: kind === undefined ? {} : { kind }, most }, from, read);
  const orders: string[] = [];
  let step = await walk.peek();
  for (; step.kind === "item"; step = await walk.peek()) {
    orders.push(step.item.entry.order);
    walk.take();
  }
  return { orders: orders.join(" "), end: step.kind, place: walk.place(), looked: walk.looked(), asked };
}

describe("the cursor of a source of the history (operator-ux §2.5)", () => {
  it("goes from page to page to the end, and says how many it looked at", async () => {
    expect(await taken(null, 1_000)).toEqual({
      orders: "9 8 7 6 5 4 3 2 1",
      end: "end",
      place: ENDED,
      looked: 12,
      asked: [null, "7", "4"],
    });
  });

  it("passes over what is not asked for", async () => {
    expect((await taken(null, 1_000, "action")).orders).toBe("8 6 4 2");
  });

  it("stops at what may be looked at, behind the last entry of what was read", async () => {
    expect(await taken(null, 4, "action")).toMatchObject({ orders: "8", end: "bound", place: "7" });
    expect((await taken("7", 1_000, "action")).orders).toBe("6 4 2");
  });

  it("takes nothing twice when it is looked at and not taken, and reads nothing from the end", async () => {
    const { read } = source();
    const walk = walkPages({ filter: {}, most: 9 }, null, read);
    expect(await walk.peek()).toEqual(await walk.peek());
    expect(walk.place()).toBeNull();
    expect(await taken(ENDED, 1_000)).toMatchObject({ orders: "", end: "end", asked: [] });
  });

  it("remembers the place behind a page in which the source found nothing", async () => {
    const empty = walkPages({ filter: {}, most: 1 }, null, async () => ({ items: [], looked: 1, next: "5" }));
    expect((await empty.peek()).kind).toBe("bound");
    expect(empty.place()).toBe("5");
  });
});
