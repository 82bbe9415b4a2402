import { describe, expect, it } from "vitest";
import { pageKey, parseRoute, type Route, routeHash } from "../../../renderer/app/routes.ts";

describe("addresses of the pages (operator-ux §1.1, electron-desktop P7)", () => {
  it.each<Route>([
    { page: "attention" },
    { page: "locks" },
    { page: "locks", recordId: "42" },
    { page: "locks", recordId: "42", release: true },
    { page: "jobLocks" },
    { page: "jobLocks", jobKey: "prod:月次 集計/1" },
    { page: "runs", filter: {} },
    { page: "runs", filter: { networkId: "月次&集計", status: "UNKNOWN" } },
    { page: "run", runId: "netrun_1/2?x#y" },
    { page: "audit", filter: {} },
    {
      page: "audit",
      filter: { networkId: "月次&集計", who: "山田", kind: "forceRelease" },
      entry: "record-42",
    },
    { page: "guidance" },
    { page: "guidance", code: "LOCK_CONFLICT" },
    { page: "unknowns" },
    { page: "unknowns", attemptId: "attempt_1/2" },
    { page: "unknowns", node: { runId: "netrun_1?x", nodeId: "荷受/1" } },
    { page: "recovery", runId: "netrun_1#y" },
    { page: "recovery", lockId: "42" },
    { page: "start" },
    { page: "start", networkId: "monthly summary" },
  ])("a page's address leads back to it: %j", (route) => {
    expect(parseRoute(routeHash(route))).toEqual(route);
  });

  it.each([
    ["", { page: "attention" }],
    ["#", { page: "attention" }],
    ["#/attention/1", { page: "unknown" }],
    ["#/runs?status=NONSENSE", { page: "runs", filter: {} }],
    ["#/runs/", { page: "unknown" }],
    ["#/runs/a/b", { page: "unknown" }],
    ["#/runs/%zz", { page: "unknown" }],
    [`#/runs/${"x".repeat(201)}`, { page: "unknown" }],
    ["#/start/now", { page: "unknown" }],
    ["#/audit/record-x", { page: "unknown" }],
    ["#/audit?kind=NONSENSE", { page: "audit", filter: {} }],
    ["#/guidance/a%20b", { page: "unknown" }],
    ["#/locks/x", { page: "unknown" }],
    ["#/unknown/a/b/c", { page: "unknown" }],
    ["#/unknown/%zz", { page: "unknown" }],
    ["#/recovery", { page: "unknown" }],
    ["#/recovery/run", { page: "unknown" }],
    ["#/recovery/x", { page: "unknown" }],
    ["#/locks/1/2", { page: "unknown" }],
    ["#/locks/1/release/now", { page: "unknown" }],
    ["#/locks/x/release", { page: "unknown" }],
    ["#/locks/jobs/%zz", { page: "unknown" }],
    ["#/locks/jobs/a/b", { page: "unknown" }],
  ])("reads %j strictly", (hash, route) => {
    expect(parseRoute(hash)).toEqual(route);
  });

  it("a filter that is typed keeps the page it is typed on (operator-ux U5)", () => {
    expect(pageKey(parseRoute("#/audit?who=a"))).toBe(pageKey(parseRoute("#/audit/record-4?who=ab")));
    expect(pageKey(parseRoute("#/guidance/OK"))).not.toBe(pageKey(parseRoute("#/guidance")));
  });
});
