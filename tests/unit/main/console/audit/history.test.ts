import { describe, expect, it } from "vitest";
import { csvText } from "../../../../../main/console/audit/csv.ts";
import { readHistory } from "../../../../../main/console/audit/history.ts";
import { fits, itemOfRecord } from "../../../../../main/console/audit/item.ts";
import type { HistoryItem, HistorySource } from "../../../../../main/console/audit/ports.ts";
import type { AuditEntry, AuditFilter, AuditPlace } from "../../../../../shared/api/index.ts";

const entry = (over: Partial<AuditEntry> & Pick<AuditEntry, "order" | "source">): AuditEntry => ({
  key: `${over.source === "records" ? "record" : "journal"}-${over.order}`,
  revision: null,
  kind: over.source === "records" ? "close" : "action",
  detail: null,
  at: null,
  precision: "exact",
  networkId: null,
  runId: null,
  businessKey: null,
  nodeId: null,
  account: null,
  who: null,
  confirmedBy: null,
  approvedBy: null,
  principal: null,
  result: null,
  reason: null,
  ...over,
});

/** A source over entries that are there; a filter passes over what does not fit, within what may be looked at. */
function source(entries: readonly AuditEntry[]): HistorySource {
  const items: readonly HistoryItem[] = entries.map((each) => ({ entry: each, facts: {}, problem: null }));
  return {
    find: async () => null,
    walk({ filter, before, most }) {
      let at =
        before === null ? 0 : items.filter(({ entry: { order } }) => Number(order) >= Number(before)).length;
      let looked = 0;
      let place = before;
      const pass = (): void => {
        place = items[at]?.entry.order ?? place;
        at += 1;
        looked += 1;
      };
      return {
        async peek() {
          for (let item = items[at]; item !== undefined; item = items[at]) {
            if (fits(item.entry, filter)) return { kind: "item", item };
            if (looked >= most) return { kind: "bound" };
            pass();
          }
          return { kind: "end" };
        },
        take: pass,
        place: () => place,
        looked: () => looked,
      };
    },
  };
}

const at = (second: number): string => new Date(Date.UTC(2026, 8, 1, 0, 0, second)).toISOString();

async function allPages(records: HistorySource, journal: HistorySource, filter: AuditFilter, limit: number) {
  const keys: string[] = [];
  let before: AuditPlace | null = null;
  for (;;) {
    const page = await readHistory({ records, journal, nowMs: () => 0 }, { filter, before, limit });
    keys.push(...page.items.map(({ entry: { key } }) => key));
    if (page.next === null) return keys;
    before = page.next;
  }
}

describe("two sources as one history (operator-ux §2.5, wire-format §5)", () => {
  const records = source([
    entry({ source: "records", order: "9", at: at(10) }),
    // Written later, told with an earlier time: its record still comes first.
    entry({ source: "records", order: "8", at: at(50) }),
    entry({ source: "records", order: "7", at: null }),
    entry({ source: "records", order: "3", at: at(5) }),
  ]);
  const journal = source([
    entry({ source: "journal", order: "4", at: at(30) }),
    entry({ source: "journal", order: "2", at: at(7) }),
  ]);

  it("keeps the order of each source, whatever its times say", async () => {
    const keys = await allPages(records, journal, {}, 100);
    expect(keys.filter((key) => key.startsWith("record"))).toEqual([
      "record-9",
      "record-8",
      "record-7",
      "record-3",
    ]);
    expect(keys.filter((key) => key.startsWith("journal"))).toEqual(["journal-4", "journal-2"]);
  });

  it("puts the later head of the two first", async () => {
    expect(await allPages(records, journal, {}, 100)).toEqual([
      "journal-4",
      "record-9",
      "record-8",
      "record-7",
      "journal-2",
      "record-3",
    ]);
  });

  it.each([1, 2, 3, 5])("is the same in pages of %i, nothing twice and nothing left out", async (limit) => {
    expect(await allPages(records, journal, {}, limit)).toEqual(await allPages(records, journal, {}, 100));
  });

  it("ends a page at what may be looked at, and goes on from there", async () => {
    const many = source(
      Array.from({ length: 2_500 }, (_, index) =>
        entry({ source: "records", order: String(2_500 - index), who: index === 2_400 ? "ops9" : "ops1" }),
      ),
    );
    const deps = { records: many, journal: source([]), nowMs: () => 0 };
    const first = await readHistory(deps, { filter: { who: "ops9" }, before: null, limit: 10 });
    expect(first.items).toEqual([]);
    expect(first.next).not.toBeNull();
    expect(await allPages(many, source([]), { who: "ops9" }, 10)).toEqual(["record-100"]);
  });
});

describe("what fits a question (operator-ux §2.5)", () => {
  const one = entry({
    source: "records",
    order: "1",
    networkId: "sales",
    runId: "netrun_1",
    businessKey: "sales@2026-09",
    who: "ｏｐｓ１",
    confirmedBy: "山田",
    account: "SITE\\suzuki",
  });
  it.each<[AuditFilter, boolean]>([
    [{}, true],
    [{ networkId: "sales" }, true],
    [{ networkId: "sale" }, false],
    [{ run: "netrun_1" }, true],
    [{ run: "2026-09" }, true],
    [{ run: "2026-10" }, false],
    [{ who: "OPS1" }, true],
    [{ who: "山田" }, true],
    [{ who: "佐藤" }, false],
    [{ who: "suzuki" }, true],
    [{ kind: "close" }, true],
    [{ kind: "repair" }, false],
  ])("%j: %s", (filter, expected) => {
    expect(fits(one, filter)).toBe(expected);
  });

  it("an unreadable record fits every question but one for another kind: what it says is unknown", () => {
    const { entry: unreadable, problem } = itemOfRecord(
      {
        kind: "unreadable",
        recordId: "5",
        revision: 2,
        problem: { code: "RECORD_UNREADABLE", message: "not JSON" },
      },
      () => undefined,
    );
    expect(unreadable).toMatchObject({ key: "record-5", revision: 2, kind: "unreadable" });
    expect(problem?.code).toBe("RECORD_UNREADABLE");
    expect(fits(unreadable, { networkId: "sales", who: "ops1" })).toBe(true);
    expect(fits(unreadable, { kind: "close" })).toBe(false);
  });
});

describe("a table for a spreadsheet (operator-ux §5.1)", () => {
  it("begins with the byte order mark, quotes what must be, and ends lines as Excel does", () => {
    expect(csvText([["a", 'say "x"', "two\nlines", 3, null]])).toBe(
      '\uFEFFa,"say ""x""","two\nlines",3,\r\n',
    );
  });
  it.each(["=1+1", "+1", "-1", "@sum", "\t=1", "\r=1"])("never hands over the formula %j", (text) => {
    const [, first] = csvText([[text]]);
    expect(["'", '"'].includes(first ?? "")).toBe(true);
    expect(csvText([[text]])).toContain(`'${text}`);
  });
});
