import { randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { followNotices, noticeOf, pageOf } from "../../../../main/desktop/notices.ts";
import type { Notice } from "../../../../main/desktop/ports.ts";
import { noticeTexts } from "../../../../main/desktop/texts.ts";
import { type AttentionEntry, type ConsoleApi, isQuiet, minuteOfDay } from "../../../../shared/api/index.ts";
import { attentionItem } from "../../../../shared/domain/attention.ts";
import { type EmbeddedConsole, openConsole, value } from "../../../support/console-fixture.ts";

const SLOW = 120_000;
const texts = noticeTexts(["ja-JP"]);

const item = (over: Partial<AttentionEntry>): AttentionEntry => ({
  ...attentionItem("failed", { id: "1", since: null, facts: [] }),
  networkId: "sales",
  ...over,
});

describe("one notice for what came up together (operator-ux §1.2, notifications)", () => {
  it("names the first three and counts the others", () => {
    const fresh = ["a", "b", "c", "d", "e"].map((id) => item({ id, businessKey: `sales@${id}` }));
    const notice = noticeOf(fresh, texts);
    expect(notice.title).toBe("新しい要対応 5件");
    expect(notice.body).toBe("失敗: sales@a\n失敗: sales@b\n失敗: sales@c\nほかに2件");
  });
  it.each<[string, readonly Partial<AttentionEntry>[], RegExp]>([
    ["a Run", [{ runId: "netrun_1/2" }], /#\/runs\/netrun_1%2F2$/],
    ["a lock", [{ kind: "staleLock", lockRecordId: "9", runId: "netrun_1" }], /#\/locks\/9$/],
    ["something without a page of its own", [{}], /#\/attention$/],
    ["several things", [{ runId: "netrun_1" }, { id: "2", runId: "netrun_2" }], /#\/attention$/],
  ])("leads to %s", (_name, items, page) => {
    expect(pageOf(items.map(item))).toMatch(page);
  });
});

describe("quiet hours", () => {
  const night = { from: "22:00", to: "07:00" };
  const noon = { from: "12:00", to: "13:00" };
  it.each([
    [night, "21:59", false],
    [night, "22:00", true],
    [night, "03:00", true],
    [night, "06:59", true],
    [night, "07:00", false],
    [noon, "12:30", true],
    [noon, "13:00", false],
    [{ from: "08:00", to: "08:00" }, "08:00", false],
    [null, "03:00", false],
  ])("%j at %s: %s", (quiet, time, expected) => {
    const [hour = 0, minute = 0] = time.split(":").map(Number);
    expect(isQuiet(quiet, hour * 60 + minute)).toBe(expected);
  });
  it("are those of the window's zone, not of this machine", () => {
    expect(minuteOfDay(Date.parse("2026-09-05T18:30:00Z"), "Asia/Tokyo")).toBe(3 * 60 + 30);
  });
});

describe("notices over the console's own line", () => {
  let opened: EmbeddedConsole;
  let api: ConsoleApi;
  beforeAll(async () => {
    opened = await openConsole();
    api = opened.api;
  }, SLOW);
  afterAll(() => opened.close(), SLOW);

  it(
    "tells of what comes up, never of what was there, and always of how many there are",
    async () => {
      await start("failing_assert", "before");
      await listed(1);
      const told: { readonly notice: Notice; readonly clicked: () => void }[] = [];
      const counts: number[] = [];
      const pages: string[] = [];
      let ring = Promise.withResolvers<void>();
      const notices = followNotices({
        api: opened.host,
        shell: {
          notify(notice, clicked) {
            told.push({ notice, clicked });
            ring.resolve();
          },
        },
        texts,
        badge(count) {
          counts.push(count);
          ring.resolve();
        },
        open: (url) => void pages.push(url),
        nowMs: () => Date.now(),
      });
      await ring.promise;
      expect(counts.at(-1)).toBe(1);
      expect(told).toEqual([]);
      while (told.length === 0) {
        ring = Promise.withResolvers<void>();
        if (counts.length === 1) await expectRun();
        await ring.promise;
      }
      expect(told).toHaveLength(1);
      expect(told[0]?.notice.body).toContain("diamond@");
      told[0]?.clicked();
      expect(pages[0]).toMatch(/#\/attention$/);
      await notices.dispose();
    },
    SLOW,
  );

  async function start(networkId: string, businessKey: string): Promise<void> {
    const target = { networkId, businessKey };
    const { fingerprint } = value(await api.start.preview(target));
    const operationId = randomUUID();
    value(await api.start.execute({ ...target, operationId, fingerprint, reason: "a failing night" }));
  }

  async function listed(count: number): Promise<void> {
    const giveUp = AbortSignal.timeout(60_000);
    for await (const { total } of await api.attention.watch({}, { signal: giveUp })) {
      if (total >= count) return;
    }
  }

  /** A Run that should exist and does not: one more thing that needs somebody. */
  async function expectRun(): Promise<void> {
    const due = {
      networkId: "diamond",
      zone: "Asia/Tokyo",
      from: "2020-01-01",
      repeat: { every: "day" },
      businessKey: "diamond@{yyyy}-{MM}-{dd}",
      existsBy: "00:00",
    };
    const schedules = { kind: "FLOWNET_SCHEDULES", formatVersion: 1, networks: [due] };
    await writeFile(join(opened.dataDir, "schedules.json"), JSON.stringify(schedules));
    value(await api.runs.refresh({}));
  }
});
