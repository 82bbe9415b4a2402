import { describe, expect, it } from "vitest";
import { type GateFacts, gateProblem } from "../../../../main/console/api/gate.ts";
import { createMode } from "../../../../main/console/api/mode.ts";
import type { Freshness, Mode } from "../../../../shared/api/index.ts";

const NOW = Date.parse("2026-09-05T03:00:00Z");
const read = (agoMs: number, change: Partial<Freshness> = {}): Freshness => ({
  source: "state",
  readAt: new Date(NOW - agoMs).toISOString(),
  origin: "read",
  intervalMs: 60_000,
  problem: null,
  ...change,
});

describe("what may be changed now (operator-ux §1.1, electron-desktop N8, L13)", () => {
  it.each<[string, GateFacts, string | null]>([
    ["a fresh picture in the mode for operating", { mode: "operate", state: read(0), clock: "off" }, null],
    ["at twice the interval", { mode: "operate", state: read(125_000), clock: "off" }, null],
    [
      "older than twice the interval",
      { mode: "operate", state: read(125_001), clock: "off" },
      "PICTURE_STALE",
    ],
    [
      "kept from before the start",
      { mode: "operate", state: read(0, { origin: "kept" }), clock: "off" },
      "PICTURE_STALE",
    ],
    ["not read yet", { mode: "operate", state: read(0, { readAt: null }), clock: "off" }, "PICTURE_STALE"],
    ["nothing known", { mode: "operate", state: null, clock: "off" }, "PICTURE_STALE"],
    ["a clock far off", { mode: "operate", state: read(0), clock: "wrong" }, "CLOCK_WRONG"],
    ["no clock heard of", { mode: "operate", state: read(0), clock: null }, null],
    ["the mode for looking", { mode: "view", state: read(0), clock: "off" }, "MODE_VIEW_ONLY"],
  ])("%s", (_, facts, code) => {
    expect(gateProblem(facts, NOW)?.code ?? null).toBe(code);
  });
});

describe("the mode of a console (decisions §5)", () => {
  it.each<[Mode, readonly Mode[], Mode]>([
    ["view", ["view"], "view"],
    ["operate", ["view", "operate"], "operate"],
    ["approve", ["view", "operate", "approve"], "operate"],
  ])("a role up to %s allows %j and starts in %s", (highest, allowed, first) => {
    const mode = createMode(
      () => highest,
      () => undefined,
    );
    expect(mode.allowed()).toEqual(allowed);
    expect(mode.current()).toBe(first);
  });

  it("refuses what the role does not allow and tells of what it takes", () => {
    const told: Mode[] = [];
    let highest: Mode = "operate";
    const mode = createMode(
      () => highest,
      (next) => told.push(next),
    );
    expect(mode.set("view")).toEqual({ ok: true, value: "view" });
    expect(mode.set("operate").ok).toBe(true);
    highest = "view";
    expect(mode.current()).toBe("view");
    expect(mode.set("operate")).toMatchObject({ ok: false, error: { code: "MODE_NOT_ALLOWED" } });
    expect(told).toEqual(["view", "operate"]);
  });
});
