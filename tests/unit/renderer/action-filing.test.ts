import { describe, expect, it } from "vitest";
import { missingOf, onlyRenews } from "../../../renderer/action/missing.ts";
import { stillOpen } from "../../../renderer/approvals/still-open.ts";
import { createActionStore } from "../../../renderer/state/action.ts";
import type { Friction, Intent } from "../../../shared/api/index.ts";
import { answered, filedOf, handTimers, plain, planOf, refused, scriptedMain } from "./scripted-main.ts";

const close: Intent = { kind: "close", runId: "netrun_1", reason: "not wanted any more" };
const friction: Friction = {
  ...plain,
  identifier: "stock@1",
  secondPerson: true,
  breakGlassSentence: { ja: "一人で行う", en: "I do it alone" },
};
const FIRST = "00000000-0000-4000-8000-000000000001";

async function asking() {
  const main = scriptedMain();
  const timers = handTimers();
  let ids = 0;
  const action = createActionStore({
    api: main.api,
    operationId: () => `00000000-0000-4000-8000-${String(++ids).padStart(12, "0")}`,
    later: timers.later,
    nowMs: timers.nowMs,
  });
  main.plans = [answered(planOf(), friction)];
  await action.open(close);
  action.fill({ typed: "stock@1", consent: "ask" });
  return { main, action, state: action.store.getState };
}

describe("asking for consent that is given later (operator-ux §2.4, frozen request)", () => {
  it("asks for everything but the second person", async () => {
    const { action, state } = await asking();
    expect(missingOf(state(), null)).toEqual([]);
    action.fill({ typed: "stock" });
    expect(missingOf(state(), null)).toEqual(["identifier"]);
    action.fill({ typed: "stock@1", consent: "person" });
    expect(missingOf(state(), null)).toEqual(["consent"]);
  });

  it("freezes what was seen, once, and carries out nothing", async () => {
    const { main, action, state } = await asking();
    await Promise.all([action.file(), action.file()]);
    await action.file();
    const { plan } = state().planned ?? { plan: planOf() };
    expect(main.filings).toEqual([
      { requestId: FIRST, intent: close, seen: plan.seen, fingerprint: plan.fingerprint, typed: "stock@1" },
    ]);
    expect(main.executed).toEqual([]);
    expect(state()).toMatchObject({ filing: false, sent: null, filed: { requestId: FIRST } });
  });

  it("starts afresh once it was filed", async () => {
    const { action, state } = await asking();
    await action.file();
    action.close();
    await action.open(close);
    expect(state()).toMatchObject({ filed: null, draft: { typed: "", consent: "person" } });
  });

  it("is refused in place, with what moved and a new plan; a new try is a new request", async () => {
    const { main, action, state } = await asking();
    main.file = async () => refused("PLAN_STALE", { moved: [{ name: "run" }] });
    await action.file();
    expect(state()).toMatchObject({ filed: null, sendProblem: { code: "PLAN_STALE" }, moved: ["run"] });
    expect(main.planned).toHaveLength(2);
    main.file = async (input) => ({ ok: true, value: filedOf(input) });
    await action.file();
    expect(new Set(main.filings.map(({ requestId }) => requestId)).size).toBe(2);
  });

  it("is the same request when its answer was lost", async () => {
    const { main, action, state } = await asking();
    main.file = async () => {
      throw new Error("the line broke");
    };
    await action.file();
    expect(state()).toMatchObject({ filed: null, sendProblem: { code: "CONSOLE_UNREACHABLE" } });
    main.file = async (input) => ({ ok: true, value: filedOf(input) });
    await action.file();
    expect(main.filings.map(({ requestId }) => requestId)).toEqual([FIRST, FIRST]);
    expect(state().filed?.requestId).toBe(FIRST);
  });
});

describe("requests that may still be approved (operator-ux §2.4, 15 minutes)", () => {
  const request = filedOf({ requestId: FIRST, intent: close });
  it.each([
    ["2026-09-05T05:14:59.999Z", 1],
    ["2026-09-05T05:15:00.000Z", 0],
  ])("at %s: %d", (now, count) => {
    expect(stillOpen([request], Date.parse(now))).toHaveLength(count);
  });
});

describe("a confirmation that waited (operator-ux §2.1, arm delay)", () => {
  it.each<[readonly string[], boolean]>([
    [[], true],
    [["plan"], true],
    [["old"], true],
    [["planFailed"], false],
    [["plan", "identifier"], false],
    [["releaseGate"], false],
  ])("with %j missing need not wait anew: %s", (missing, expected) => {
    expect(onlyRenews(missing)).toBe(expected);
  });
});
