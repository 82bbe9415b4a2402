import { describe, expect, it } from "vitest";
import { pacesOf, rowsBetween } from "../../../../main/console/api/pace.ts";
import type { RunRow } from "../../../../shared/api/index.ts";
import type { Expectation } from "../../../../shared/domain/expectation.ts";
import { row } from "../../../support/run-rows.ts";

const at = (day: number, clock: string): string => `2026-09-${String(day).padStart(2, "0")}T${clock}:00Z`;
const run = (day: number, change: Partial<RunRow> = {}): RunRow =>
  row({
    runId: `netrun_${day}`,
    networkId: "net",
    businessKey: `net@2026-09-${String(day).padStart(2, "0")}`,
    status: "SUCCESS",
    startedAt: at(day, "01:00"),
    finishedAt: at(day, `01:${10 + day}`),
    ...change,
  });
const newestFirst = [9, 8, 7, 6, 5, 4, 3, 2, 1].map((day) => run(day));

describe("what is usual for a network, out of the Runs that are known (operator-ux §1.1)", () => {
  it("is told for networks with enough successes, each profile by itself", () => {
    const rows = [...newestFirst, ...newestFirst.slice(0, 4).map((each) => ({ ...each, networkId: "few" }))];
    const [first] = newestFirst;
    expect(pacesOf(rows, [], 0).networks).toEqual([
      { networkId: "net", profile: first?.profile, medianMin: 15, p90Min: 19, of: 9 },
    ]);
    const mixed = newestFirst.map((each, place) => (place % 2 ? { ...each, profile: "other" } : each));
    expect(pacesOf(mixed, [], 0).networks.map(({ of }) => of)).toEqual([5]);
  });

  it("names when an expected Run is due (decisions §5)", () => {
    const daily: Expectation = {
      networkId: "net",
      zone: "UTC",
      from: "2026-09-01",
      recurrence: { every: "day" },
      businessKey: "net@{yyyy}-{MM}-{dd}",
      existsBy: null,
      successBy: 75,
    };
    const { dues } = pacesOf(newestFirst, [daily], Date.parse(at(3, "12:00")));
    expect(dues).toEqual(
      [3, 2, 1].map((day) => ({ runId: `netrun_${day}`, dueAt: `2026-09-0${day}T01:15:00.000Z` })),
    );
    expect(
      pacesOf(newestFirst, [{ ...daily, successBy: null, existsBy: 1 }], Date.parse(at(3, "12:00"))).dues,
    ).toEqual([]);
  });
});

describe("the Runs of a day (operator-ux §1.1, timeline)", () => {
  it("are those that ran at any time of it, unfinished ones up to now", () => {
    const now = Date.parse(at(9, "12:00"));
    const rows = [
      run(9, { runId: "running", status: "RUNNING", finishedAt: null, startedAt: at(8, "23:00") }),
      run(9, { runId: "within" }),
      run(9, { runId: "over", startedAt: at(7, "01:00"), finishedAt: at(8, "23:59") }),
      run(9, { runId: "never", startedAt: null, finishedAt: null }),
      run(9, { runId: "next", startedAt: at(10, "00:00"), finishedAt: null }),
    ];
    const found = rowsBetween(rows, Date.parse(at(9, "00:00")), Date.parse(at(10, "00:00")), now);
    expect(found.map(({ runId }) => runId)).toEqual(["running", "within"]);
  });
});
