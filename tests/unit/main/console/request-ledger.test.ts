import { describe, expect, it } from "vitest";
import { budgetDay, slowdown } from "../../../../main/console/request-budget.ts";
import { countingTransport, createRequestLedger } from "../../../../main/console/request-ledger.ts";
import { bulk, getRecords } from "../../../../main/kintone-client/index.ts";

/** A file in memory and a clock that is set by hand. */
function openFile(text: string | null = null) {
  const file = { text, writes: 0, broken: false };
  const clock = { ms: Date.parse("2026-09-05T03:00:00Z"), nowMs: () => clock.ms };
  const open = (baseUrl = "https://a.example") =>
    createRequestLedger({
      baseUrl,
      clock,
      read: async () => file.text,
      write: async (next) => {
        if (file.broken) throw new Error("no space left");
        file.text = next;
        file.writes += 1;
      },
    });
  return { file, clock, open };
}

describe("the request budget of a day (operator-ux U2)", () => {
  it.each([
    ["2026-09-05T08:59:59+09:00", "2026-09-04"],
    ["2026-09-05T09:00:00+09:00", "2026-09-05"],
    ["2026-09-05T23:59:59+09:00", "2026-09-05"],
  ])("%s counts to the day %s, which begins at 09:00 Japan time", (at, day) => {
    expect(budgetDay(Date.parse(at))).toBe(day);
  });

  it.each([
    [0, 1],
    [0.69, 1],
    [0.7, 2],
    [0.84, 2],
    [0.85, 4],
    [3, 4],
  ])("a share of %f used stretches the interval %i times", (used, times) => {
    expect(slowdown(used)).toBe(times);
  });

  it("counts a request to each app it touches, also when no answer comes", async () => {
    const ledger = openFile().open();
    const transport = countingTransport(
      { send: async () => ({ kind: "unknown", reason: "timeout" }) },
      ledger,
    );
    await transport.send(getRecords(3, ""));
    const record = {};
    await transport.send(
      bulk([
        { kind: "addRecord", app: 3, record },
        { kind: "addRecord", app: 4, record },
        { kind: "addRecord", app: 4, record },
      ]),
    );
    expect([ledger.used(3), ledger.used(4), ledger.used(5)]).toEqual([2, 1, 0]);
  });

  it("goes on from what was kept, and adds to what another program of this folder counted", async () => {
    const { open, file } = openFile();
    const first = open();
    first.count([1]);
    await first.save();
    const second = open();
    second.count([1, 2]);
    await second.save();
    first.count([2]);
    await first.save();
    expect([first.used(1), first.used(2)]).toEqual([2, 2]);
    expect(JSON.parse(file.text ?? "")).toMatchObject({
      kind: "FLOWNET_REQUEST_LEDGER",
      apps: { 1: 2, 2: 2 },
    });
  });

  it("writes nothing while nothing was asked", async () => {
    const { open, file } = openFile();
    const ledger = open();
    await ledger.save();
    expect(file.writes).toBe(0);
  });

  it("begins anew with the day", async () => {
    const { open, clock } = openFile();
    const ledger = open();
    ledger.count([1]);
    await ledger.save();
    clock.ms = Date.parse("2026-09-06T00:00:00Z");
    expect(ledger.used(1)).toBe(0);
    expect(ledger.day()).toBe("2026-09-06");
    ledger.count([1]);
    await ledger.save();
    expect(open().used(1)).toBe(0);
    expect(ledger.used(1)).toBe(1);
  });

  it("loses no count when the disk is full", async () => {
    const { open, file } = openFile();
    const ledger = open();
    file.broken = true;
    ledger.count([1]);
    await ledger.save();
    expect(ledger.used(1)).toBe(1);
    file.broken = false;
    await ledger.save();
    expect(JSON.parse(file.text ?? "")).toMatchObject({ apps: { 1: 1 } });
  });

  it.each([
    [
      "another kintone",
      '{"kind":"FLOWNET_REQUEST_LEDGER","formatVersion":1,"baseUrl":"https://b.example","day":"2026-09-05","apps":{"1":9}}',
    ],
    ["no JSON", "half a fi"],
    ["a newer form", '{"kind":"FLOWNET_REQUEST_LEDGER","formatVersion":2}'],
  ])("counts a file of %s as none", async (_, text) => {
    const ledger = openFile(text).open();
    await ledger.save();
    expect(ledger.used(1)).toBe(0);
  });
});
