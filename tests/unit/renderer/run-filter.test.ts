import { describe, expect, it } from "vitest";
import { pageKey, parseRoute, type Route, routeHash } from "../../../renderer/app/routes.ts";
import { placeToFocus, shortKey } from "../../../renderer/runs/grid-model.ts";
import { queryOf } from "../../../renderer/runs/query-of.ts";
import { changedFilter, narrows } from "../../../renderer/runs/run-filter.ts";

describe("the address of a list and of a view (operator-ux §1.1, search and filters)", () => {
  it.each<Route>([
    { page: "runs", filter: { text: "月次 ＡＢＣ&x=1", activity: "INTERRUPTED", sort: "status" } },
    { page: "runs", filter: { from: "2026-09-01", to: "2026-09-30", view: "grid" } },
    { page: "run", runId: "r", tab: "graph", nodeId: "集計?&", attemptId: "attempt_1" },
  ])("leads back to it: %j", (route) => {
    expect(parseRoute(routeHash(route))).toEqual(route);
  });

  it("takes a value that is none of ours as absent", () => {
    const hash = "#/runs?sort=updatedAt&view=cards&from=2026-13-01&to=yesterday&activity=live&q=";
    expect(parseRoute(hash)).toEqual({ page: "runs", filter: {} });
    expect(parseRoute("#/runs/r?tab=secrets")).toEqual({ page: "run", runId: "r" });
  });

  it("is the same page at another filter, tab or node: what is typed and focused stays (U5)", () => {
    expect(pageKey({ page: "runs", filter: { text: "a" } })).toBe(pageKey({ page: "runs", filter: {} }));
    expect(pageKey({ page: "run", runId: "r", tab: "graph" })).toBe(pageKey({ page: "run", runId: "r" }));
    expect(pageKey({ page: "run", runId: "r" })).not.toBe(pageKey({ page: "run", runId: "s" }));
  });

  it("loses a condition that is emptied, and counts only conditions as narrowing", () => {
    const filter = changedFilter({ text: "a", sort: "status" }, { text: "" });
    expect(filter).toEqual({ sort: "status" });
    expect(narrows(filter)).toBe(false);
    expect(narrows({ status: "FAILED" })).toBe(true);
  });
});

describe("a period in the window's zone", () => {
  it.each([
    ["Asia/Tokyo", "2026-08-31T15:00:00.000Z", "2026-09-30T15:00:00.000Z"],
    ["UTC", "2026-09-01T00:00:00.000Z", "2026-10-01T00:00:00.000Z"],
  ])("covers its first and its last day whole in %s", (zone, createdFrom, createdBefore) => {
    expect(queryOf({ from: "2026-09-01", to: "2026-09-30" }, zone)).toEqual({ createdFrom, createdBefore });
  });
});

describe("the grid of nodes and Runs (operator-ux §1.1)", () => {
  it.each([
    ["net@2026-09", "2026-09"],
    ["net@", "net@"],
    ["other@2026-09", "other@2026-09"],
  ])("shows %s as %s", (businessKey, shown) => {
    expect(shortKey(businessKey, "net")).toBe(shown);
  });

  const size = { rows: 30, columns: 5, page: 10 };
  it.each<[string, readonly [number, number], readonly [number, number] | null]>([
    ["ArrowRight", [0, 4], [0, 4]],
    ["ArrowLeft", [3, 2], [3, 1]],
    ["ArrowDown", [29, 0], [29, 0]],
    ["ArrowUp", [3, 2], [2, 2]],
    ["PageDown", [3, 2], [13, 2]],
    ["PageUp", [3, 2], [0, 2]],
    ["Home", [3, 2], [3, 0]],
    ["End", [3, 2], [3, 4]],
    ["x", [3, 2], null],
  ])("the key %s leads from %j to %j", (key, [row, column], expected) => {
    const next = placeToFocus(key, { row, column }, size);
    expect(next).toEqual(expected && { row: expected[0], column: expected[1] });
  });
});
