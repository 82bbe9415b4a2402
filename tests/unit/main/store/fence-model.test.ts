import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  acknowledgeOnTimeout,
  fenced,
  type Protocol,
  repeatWithNewRevision,
  resendWhatWasApplied,
  withoutRevision,
  withoutSettling,
} from "../../../support/fence-model/protocol.ts";
import { play } from "../../../support/fence-model/run.ts";

const schedules = fc.array(fc.nat({ max: 100_000 }), { minLength: 20, maxLength: 160, size: "max" });

const holds = (protocol: Protocol) =>
  fc.property(schedules, (schedule) => play(protocol, schedule).violations.length === 0);

/** Runs of one check; the seed is fixed so that a failure is the same failure for everybody. */
const check = (protocol: Protocol, numRuns: number) =>
  fc.check(holds(protocol), { seed: 20_260_901, numRuns });

/** Generous: the machine may be busy, and what counts is the number of schedules, not their time. */
const TIME_LIMIT = { timeout: 60_000 };

describe("the model of fenced writes (fenced-writes, R1–R3)", TIME_LIMIT, () => {
  it("writes nothing without the lock, nothing twice, and loses nothing it acknowledged", () => {
    const result = check(fenced, 8_000);
    expect(result.failed ? play(fenced, result.counterexample?.[0] ?? []).violations : []).toEqual([]);
  });

  it("gets somewhere: a good part of the schedules acknowledges writes of both kinds of ends", () => {
    const played = fc
      .sample(schedules, { seed: 7, numRuns: 2_000 })
      .map((schedule) => play(fenced, schedule));
    expect(played.filter((world) => world.acknowledged > 0).length).toBeGreaterThan(500);
    expect(played.filter((world) => world.acknowledged > 3).length).toBeGreaterThan(5);
  });

  const mutants: readonly (readonly [string, Protocol, RegExp])[] = [
    ["settling is left out (R1)", withoutSettling, /acknowledged and lost/],
    ["the lock goes without its revision", withoutRevision, /without the lock|twice|ruled out/],
    ["a time-out counts as success", acknowledgeOnTimeout, /acknowledged and lost/],
    ["a repeat takes the new revision", repeatWithNewRevision, /twice|ruled out|without the lock/],
    ["the caller's repeat of an applied write is sent anew", resendWhatWasApplied, /twice/],
  ];
  it.each(mutants)("finds the accident when %s", (_name, protocol, accident) => {
    const result = check(protocol, 20_000);
    expect(result.failed).toBe(true);
    const violations = play(protocol, result.counterexample?.[0] ?? []).violations;
    expect(violations.join("; ")).toMatch(accident);
  });
});
