import { describe, expect, it } from "vitest";
import { withClockGuard } from "../../../main/console/clock-guard.ts";
import type { ClockVerdict } from "../../../shared/domain/clock-skew.ts";
import type { Problem } from "../../../shared/domain/problem.ts";
import { badLineForTests } from "../../support/bad-line.ts";
import type { ProxiedRequest } from "../../support/fault-proxy.ts";
import { lockInput } from "../../support/lock-inputs.ts";

const line = badLineForTests();

/** Verdicts as the answers show them, one after the other. */
function guarded(...verdicts: readonly (ClockVerdict | null)[]) {
  const warnings: Problem[] = [];
  let turn = 0;
  const verdict = (): ClockVerdict | null => {
    turn += 1;
    return verdicts[Math.min(turn, verdicts.length) - 1] ?? null;
  };
  return { store: withClockGuard(line().store, verdict, (problem) => warnings.push(problem)), warnings };
}

describe("a lock and a clock that is wrong (electron-desktop L13)", () => {
  it("asks for none once that is known", async () => {
    line().kintone.seen.clear();
    expect(await guarded("wrong").store.acquireLock(lockInput())).toMatchObject({
      kind: "unavailable",
      problem: { code: "CLOCK_WRONG" },
    });
    expect(line().kintone.seen.list()).toEqual([]);
  });

  it("gives back at once what it took before the first answer told the time", async () => {
    const input = lockInput();
    expect(await guarded(null, "wrong").store.acquireLock(input)).toMatchObject({
      kind: "unavailable",
      problem: { code: "CLOCK_WRONG" },
    });
    expect(await line().store.findLock(input)).toBeNull();
  });

  it("tells it beside the clock when that lock could not be given back (W-16)", async () => {
    const input = { ...lockInput(), leaseMs: 1_500, heartbeatMs: 500 };
    const { proxy } = line();
    const isRelease = (request: ProxiedRequest): boolean => request.body.includes("LOCKDONE");
    proxy.on(isRelease, { kind: "lose-request" }, 100);
    expect(await guarded(null, "wrong").store.acquireLock(input)).toMatchObject({
      problem: { code: "CLOCK_WRONG", details: { lockNotReleased: expect.stringMatching(/./) } },
    });
    expect(await line().other.findLock(input)).not.toBeNull();
  });

  it("takes it with a warning, told once, while the clock is only off", async () => {
    const { store, warnings } = guarded("off");
    for (const _ of [1, 2]) {
      const acquired = await store.acquireLock(lockInput());
      if (acquired.kind !== "acquired") throw new Error(acquired.problem.message);
      await acquired.session.release({ status: "SUCCESS", resultCode: "NORMAL" });
      await acquired.session.dispose();
    }
    expect(warnings).toMatchObject([{ code: "CLOCK_OFF" }]);
  });
});
