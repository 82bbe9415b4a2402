import { describe, expect, it } from "vitest";
import { plannedTotals, SUITES } from "../../../../main/drills/retry-boundaries/cases/index.ts";
import { storedCases } from "../../../../main/drills/retry-boundaries/documents/plan-schema.ts";
import { expectedChildren } from "../../../../main/drills/retry-boundaries/judge/stage-children.ts";

/** The published table, written down a second time: [case, stage, child, exit, points, counts]. */
const SECTION_7 = [
  ["A", "1", "worker", 0, ["effect-committed"], [0, 1, 0]],
  ["A", "2", "worker", 0, ["effect-committed"], [0, 2, 0]],
  ["B", "1", "worker", 86, ["after-processed-commit"], [1, 0, 0]],
  ["B", "2", "worker", 0, ["skipped"], [1, 0, 0]],
  ["C", "1", "worker", 86, ["after-effect-commit"], [0, 1, 0]],
  ["C", "2", "worker", 0, ["after-effect-commit", "after-processed-commit"], [1, 2, 0]],
  ["D", "1", "worker", 86, ["before-commit"], [0, 0, 0]],
  ["D", "2", "worker", 0, ["before-commit", "committed"], [1, 1, 0]],
  ["E", "1", "worker", 86, ["before-commit", "after-commit-before-reply"], [1, 1, 0]],
  ["E", "2", "worker", 0, ["skipped"], [1, 1, 0]],
  ["F", "held", "worker 1", "held", ["before-commit-hold"], [0, 0, 0]],
  ["F", "held", "worker 2", 75, ["busy"], [0, 0, 0]],
  ["F", "after commit", "worker 1", 0, ["committed"], [1, 1, 0]],
  ["F", "repeated", "worker 2", 0, ["skipped"], [1, 1, 0]],
  ["G", "1", "worker", 86, ["after-outside-append"], [0, 0, 1]],
  ["G", "2", "worker", 0, ["after-outside-append", "before-commit", "committed"], [1, 1, 2]],
];

describe("the tables of the experiment", () => {
  it("expects of A to G exactly what was published (retry-boundaries §7)", () => {
    const rows = storedCases(SUITES["A-G"].cases).flatMap((one) =>
      one.stages.flatMap((stage) =>
        expectedChildren(stage).map(({ child, exit, points }) => [
          one.id,
          stage.id,
          child,
          exit,
          points,
          stage.counts,
        ]),
      ),
    );
    expect(rows).toEqual(SECTION_7);
  });

  it("promises the totals that must hold (retry-boundaries §7)", () => {
    expect(plannedTotals(SUITES["A-G"].cases)).toEqual({
      cases: 7,
      children: 15,
      read_backs: 15,
      exits_86: 5,
      busy: 1,
      integrity_ok: 15,
      hot_journal_recovery: 0,
    });
  });

  it("ends the extended cases where section 10 says they end (retry-boundaries §10)", () => {
    const last = SUITES["extended-db"].cases.map((one) => [one.id, one.stages.at(-1)?.counts]);
    expect(Object.fromEntries(last)).toEqual({
      ...{ H: [1, 1, 0, 0], H2: [1, 1, 0, 0], I: [1, 2, 0, 0], I2: [0, 1, 0, 0], I3: [1, 1, 0, 0] },
      ...{ J: [1, 1, 2, 0], J2: [1, 1, 0, 1], K: [1, 1, 0, 0], K2: [2, 2, 0, 0], L: [1, 1, 0, 0] },
      ...{ M: [0, 2, 0, 0], M2: [1, 1, 0, 0], N: [1, 1, 0, 0], O: [1, 1, 1, 0], P: [1, 1, 0, 0] },
      ...{ Q: [0, 0, 0, 0], Q2: [0, 0, 0, 0], R: [0, 0, 0, 0], R2: [0, 0, 0, 0], S: [1, 1, 0, 0] },
    });
  });

  it.each(Object.values(SUITES))(
    "gives every stop point a place in its order of work: $name",
    ({ cases }) => {
      const stops = cases.flatMap((one) =>
        one.stages.flatMap(({ moves }) =>
          moves.flatMap((move) =>
            move.do === "run" && move.stop !== null ? [{ steps: one.work[move.role], stop: move.stop }] : [],
          ),
        ),
      );
      expect(stops.length).toBeGreaterThan(0);
      for (const { steps, stop } of stops) expect(steps).toContain(`@${stop}`);
    },
  );

  it("names every folder once", () => {
    const folders = Object.values(SUITES).flatMap(({ cases }) => cases.map((one) => one.folder));
    expect(new Set(folders).size).toBe(folders.length);
  });
});
