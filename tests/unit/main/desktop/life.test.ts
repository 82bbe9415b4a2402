import { describe, expect, it } from "vitest";
import { isGap, watchGaps } from "../../../../main/desktop/life/gaps.ts";
import { createLife } from "../../../../main/desktop/life/life.ts";
import { afterCrash } from "../../../../main/desktop/life/page-crashes.ts";
import {
  BORN,
  delaysSessionEnd,
  type Life,
  type LifeEffect,
  type LifeEvent,
  step,
} from "../../../../main/desktop/life/phase.ts";

const idle: Life = { ...BORN, phase: "ready" };
const busy: Life = { ...idle, liveRuns: 2, awake: true };
const draining: Life = { ...busy, phase: "draining" };
const effects = (life: Life, event: LifeEvent): readonly LifeEffect[] => step(life, event).effects;

describe("the life of the program (electron-desktop §5)", () => {
  const table: readonly (readonly [string, Life, LifeEvent, Life, readonly LifeEffect[]])[] = [
    ["recovery ends", BORN, { kind: "recovered" }, { ...BORN, phase: "recovered" }, []],
    ["ready before recovery is ignored", BORN, { kind: "ready" }, BORN, []],
    ["the window opens", { ...BORN, phase: "recovered" }, { kind: "ready" }, idle, []],
    [
      "a first Run holds the system awake (L6)",
      idle,
      { kind: "live-runs", count: 2 },
      busy,
      [{ kind: "hold-awake" }],
    ],
    ["one Run fewer changes nothing", busy, { kind: "live-runs", count: 1 }, { ...busy, liveRuns: 1 }, []],
    ["the last Run lets it sleep", busy, { kind: "live-runs", count: 0 }, idle, [{ kind: "release-awake" }]],
    [
      "quit without Runs drains",
      idle,
      { kind: "quit-asked" },
      { ...idle, phase: "draining" },
      [{ kind: "drain" }],
    ],
    [
      "quit with Runs asks (L3)",
      busy,
      { kind: "quit-asked" },
      { ...busy, asking: true },
      [{ kind: "ask-quit", liveRuns: 2 }],
    ],
    [
      "a second quit does not ask twice",
      { ...busy, asking: true },
      { kind: "quit-asked" },
      { ...busy, asking: true },
      [],
    ],
    [
      "quit again while draining asks again",
      draining,
      { kind: "quit-asked" },
      { ...draining, asking: true },
      [{ kind: "ask-quit", liveRuns: 2 }],
    ],
    [
      "quit while draining without Runs waits",
      { ...idle, phase: "draining" },
      { kind: "quit-asked" },
      { ...idle, phase: "draining" },
      [],
    ],
    [
      "chosen: the tray",
      { ...busy, asking: true },
      { kind: "quit-chosen", choice: "tray" },
      busy,
      [{ kind: "hide-windows" }],
    ],
    [
      "chosen: stop",
      { ...busy, asking: true },
      { kind: "quit-chosen", choice: "stop" },
      draining,
      [{ kind: "drain" }],
    ],
    [
      "chosen: leave keeps the marker",
      { ...busy, asking: true },
      { kind: "quit-chosen", choice: "leave" },
      { ...busy, phase: "stopped", awake: false },
      [{ kind: "release-awake" }, { kind: "exit", clean: false, code: 0 }],
    ],
    [
      "chosen: leave, and the Runs ended meanwhile",
      { ...idle, asking: true },
      { kind: "quit-chosen", choice: "leave" },
      { ...idle, phase: "draining" },
      [{ kind: "drain" }],
    ],
    [
      "drained in order",
      { ...idle, phase: "draining" },
      { kind: "drained", clean: true },
      { ...idle, phase: "stopped" },
      [{ kind: "exit", clean: true, code: 0 }],
    ],
    [
      "drained with failures",
      { ...idle, phase: "draining" },
      { kind: "drained", clean: false },
      { ...idle, phase: "stopped" },
      [{ kind: "exit", clean: false, code: 0 }],
    ],
    ["drained out of the blue", idle, { kind: "drained", clean: true }, idle, []],
    [
      "session ends idle (L4)",
      idle,
      { kind: "session-ending" },
      { ...idle, phase: "stopped" },
      [{ kind: "exit", clean: true, code: 0 }],
    ],
    [
      "session ends busy",
      busy,
      { kind: "session-ending" },
      { ...busy, phase: "stopped", awake: false },
      [{ kind: "release-awake" }, { kind: "exit", clean: false, code: 0 }],
    ],
    [
      "session ends in the opening",
      BORN,
      { kind: "session-ending" },
      { ...BORN, phase: "stopped" },
      [{ kind: "exit", clean: false, code: 0 }],
    ],
    ["woken reads again (L6)", busy, { kind: "woken" }, busy, [{ kind: "read-again" }]],
    ["woken before it is ready", BORN, { kind: "woken" }, BORN, []],
    [
      "a fault is said and ends in order (L10)",
      busy,
      { kind: "fault" },
      { ...draining, faulted: true },
      [{ kind: "show-fault" }, { kind: "drain" }],
    ],
    [
      "a second fault is not said",
      { ...draining, faulted: true },
      { kind: "fault" },
      { ...draining, faulted: true },
      [],
    ],
    [
      "a fault while draining",
      draining,
      { kind: "fault" },
      { ...draining, faulted: true },
      [{ kind: "show-fault" }],
    ],
    [
      "the end after a fault is an error",
      { ...idle, phase: "draining", faulted: true },
      { kind: "drained", clean: true },
      { ...idle, phase: "stopped", faulted: true },
      [{ kind: "exit", clean: false, code: 1 }],
    ],
  ];
  it.each(table)("%s", (_, life, event, next, done) => {
    expect(step(life, event)).toEqual({ life: next, effects: done });
  });

  it("does nothing any more once stopped", () => {
    const stopped: Life = { ...idle, phase: "stopped" };
    const events: readonly LifeEvent[] = [
      { kind: "recovered" },
      { kind: "ready" },
      { kind: "live-runs", count: 1 },
      { kind: "quit-asked" },
      { kind: "quit-chosen", choice: "stop" },
      { kind: "drained", clean: true },
      { kind: "session-ending" },
      { kind: "woken" },
      { kind: "fault" },
    ];
    for (const event of events) expect(step(stopped, event)).toEqual({ life: stopped, effects: [] });
  });

  it("asks the end of the session to wait only for a Run under way (L4)", () => {
    expect([BORN, idle, busy, draining].map(delaysSessionEnd)).toEqual([false, false, true, true]);
    expect(effects(idle, { kind: "session-ending" })).toHaveLength(1);
  });

  it("handles an event told from within an effect after the one before it", () => {
    const seen: string[] = [];
    const life = createLife((effect) => {
      seen.push(`${effect.kind} in ${life.current().phase}`);
      if (effect.kind === "drain") life.tell({ kind: "drained", clean: true });
    });
    life.tell({ kind: "quit-asked" });
    expect(seen).toEqual(["drain in draining", "exit in stopped"]);
  });
});

describe("absence without an event (electron-desktop L7)", () => {
  it.each([
    [5_000, 5_000, false],
    [29_999, 5_000, false],
    [30_001, 5_000, true],
    [45_000, 20_000, false],
    [60_001, 20_000, true],
  ])("%d ms between ticks of %d ms: %s", (elapsed, interval, gap) => {
    expect(isGap(elapsed, interval)).toBe(gap);
  });

  it("tells each gap once, and none at its own end", async () => {
    const times = [0, 5_000, 605_000, 610_000, 999_000];
    const stop = new AbortController();
    let woken = 0;
    let now = times.shift() ?? 0;
    await watchGaps(
      {
        nowMs: () => now,
        async wait() {
          now = times.shift() ?? now;
          if (times.length === 0) stop.abort();
        },
        woken: () => {
          woken += 1;
        },
      },
      stop.signal,
    );
    expect(woken).toBe(1);
  });
});

describe("crashes of the page (electron-desktop L9)", () => {
  it("reload twice, the third within 5 minutes leads to the safe page; old ones are forgotten", () => {
    const first = afterCrash([], 0);
    const second = afterCrash(first.crashes, 60_000);
    const third = afterCrash(second.crashes, 299_999);
    const late = afterCrash(second.crashes, 300_001);
    expect([first.next, second.next, third.next, late.next]).toEqual([
      "reload",
      "reload",
      "safe-page",
      "reload",
    ]);
  });
});
