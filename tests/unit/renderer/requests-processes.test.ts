import { describe, expect, it } from "vitest";
import { parseRoute, routeHash } from "../../../renderer/app/routes.ts";
import { baseName, percentText, secondsText } from "../../../renderer/processes/usage.ts";
import { shownState, targetName, wireState } from "../../../renderer/requests/request-state.tsx";
import { createProcessesStore } from "../../../renderer/state/processes.ts";
import { requestRows } from "../../../renderer/state/requests.ts";
import type {
  RequestListRow,
  RequestPage,
  RequestView,
  StopOrder,
  StopPlan,
} from "../../../shared/api/index.ts";
import { ok } from "../../../shared/domain/problem.ts";
import { plain, READ_AT, refused, scriptedMain } from "./scripted-main.ts";

const request = (change: Partial<RequestView> = {}): RequestView => ({
  id: "7",
  revision: 1,
  type: "RERUN",
  state: "REQUESTED",
  runId: "run_1",
  networkId: null,
  businessKey: null,
  scheduledFor: null,
  rerunFromNode: null,
  reason: "r",
  creatorCode: "tanaka",
  createdAt: "2026-09-04T00:00:00Z",
  cancelRequested: false,
  claim: null,
  silent: false,
  resultCode: null,
  resultMessage: null,
  duplicates: [],
  cancelProblem: null,
  ...change,
});
const row = (change: Partial<RequestView> = {}): RequestListRow => ({
  readable: true,
  request: request(change),
});
const broken: RequestListRow = {
  readable: false,
  record: { id: "9", revision: 3, state: "REQUESTED", issues: [] },
};

describe("the state of a request in the words of the screens (operator-ux §5.2)", () => {
  it.each<[string, RequestListRow, string, string | null]>([
    ["waiting", row(), "REQUESTED", "REQUESTED"],
    ["taken back and not ended yet", row({ cancelRequested: true }), "cancelling", "REQUESTED"],
    ["claimed", row({ state: "ACCEPTED" }), "ACCEPTED", "ACCEPTED"],
    [
      "claimed and ticked: too late",
      row({ state: "ACCEPTED", cancelRequested: true }),
      "ACCEPTED",
      "ACCEPTED",
    ],
    ["claimed and silent", row({ state: "ACCEPTED", silent: true }), "silent", "ACCEPTED"],
    ["rejected", row({ state: "REJECTED", resultCode: "RUN_LIVE" }), "REJECTED", "REJECTED"],
    ["rejected as stale", row({ state: "REJECTED", resultCode: "STALE" }), "STALE", "STALE"],
    ["done", row({ state: "DONE", resultCode: "OK" }), "DONE", "DONE"],
    ["broken", broken, "unreadable", "REQUESTED"],
  ])("%s", (_name, given, state, wire) => {
    expect(shownState(given)).toBe(state);
    expect(wireState(given)).toBe(wire);
  });
  it("names what it is about by key, by Run, or by network and time", () => {
    expect(targetName(request({ rerunFromNode: "load" }))).toBe("run_1 › load");
    expect(targetName(request({ businessKey: "k@1" }))).toBe("k@1");
    expect(targetName(request({ runId: null, networkId: "n", scheduledFor: "t" }))).toBe("n t");
  });
});

describe("rows that were read page by page", () => {
  it("stand once each, the newest reading of a row first", () => {
    const newest = row({ id: "8", state: "DONE" });
    const page = { rows: [newest, row({ id: "7" })] } as const;
    const older = [row({ id: "8" }), row({ id: "6" })];
    const value = { ...page, configured: true, next: null, openCount: 0, readAt: null };
    const state = {
      page: { phase: "ready", value: { ...value, poller: POLLER }, problem: null },
      older,
    } as const;
    expect(
      requestRows(state).map((each) => (each.readable ? [each.request.id, each.request.state] : null)),
    ).toEqual([
      ["8", "DONE"],
      ["7", "REQUESTED"],
      ["6", "REQUESTED"],
    ]);
  });
});

const POLLER: RequestPage["poller"] = {
  here: false,
  intervalMs: null,
  lastSuccessAt: null,
  problem: null,
  running: 0,
  waiting: 0,
  accepted: 0,
  oldestWaiting: null,
  lastClaim: null,
  silent: false,
};

describe("addresses of the two pages (electron-desktop P7)", () => {
  it.each([
    "#/requests",
    "#/requests?view=open",
    "#/requests/12",
    "#/requests/12?view=open",
    "#/processes",
    "#/processes/8812%402026-09-04T00%3A00%3A00.000Z",
    "#/processes/8812%40",
  ])("%s is what it says", (hash) => {
    expect(routeHash(parseRoute(hash))).toBe(hash);
  });
  it.each([
    "#/requests/x",
    "#/requests/1/2",
    "#/processes/8812",
    "#/processes/a%40b",
    "#/processes/%E0%A4%A",
  ])("%s names no page", (hash) => {
    expect(parseRoute(hash)).toEqual({ page: "unknown" });
  });
});

describe("what a process used", () => {
  it("is told as finely as it says something", () => {
    expect([percentText(0.034), percentText(1.5)]).toEqual(["3.4", "150"]);
    expect([secondsText(1_230), secondsText(123_400)]).toEqual(["1.2", "123"]);
    expect([baseName("C:\\x\\node.exe"), baseName("/usr/bin/node"), baseName(null)]).toEqual([
      "node.exe",
      "node",
      null,
    ]);
  });
});

describe("a stop whose answer is late, lost or a refusal (operator-ux D7, D8)", () => {
  const root = { pid: 8812, processStart: READ_AT, image: "node.exe" };
  const stopPlan: StopPlan = {
    tree: {
      id: "8812",
      origin: "started",
      identity: "verified",
      identityReason: null,
      root,
      attempt: null,
      processes: [],
      incomplete: null,
      parent: { pid: null, alive: null, self: false },
      files: [],
      notStoppable: null,
      polite: "signal",
    },
    friction: plain,
    graceMs: 10_000,
    fingerprint: "tree",
    readAt: READ_AT,
  };
  async function sentTo(answers: readonly (() => unknown)[]) {
    const orders: StopOrder[] = [];
    const left = [...answers];
    const processes = {
      plan: async () => ok(stopPlan),
      stop: async (order: StopOrder) => {
        orders.push(order);
        return left.shift()?.();
      },
    };
    const api = new Proxy(scriptedMain().api, {
      get: (target, name) => (name === "processes" ? processes : Reflect.get(target, name)),
    });
    let ids = 0;
    const operationId = (): string => `op-${++ids}`;
    const store = createProcessesStore({ api, operationId, later: () => () => undefined, random: () => 0 });
    await store.openStop(root.pid, root.processStart);
    return { store, orders, form: () => store.store.getState().stop };
  }
  const lineBroke = (): never => {
    throw new Error("the line broke");
  };

  it("keeps its id after a lost answer, says so until it is sent again, and sends it under that id", async () => {
    const { store, orders, form } = await sentTo([lineBroke, () => ok({})]);
    await store.confirm();
    expect(form()).toMatchObject({ operationId: "op-1", problem: { code: "CONSOLE_UNREACHABLE" } });
    store.fill({ reason: "it hangs still" });
    expect(form()).toMatchObject({ operationId: "op-1", problem: { code: "CONSOLE_UNREACHABLE" } });
    await store.confirm();
    expect(orders.map(({ operationId }) => operationId)).toEqual(["op-1", "op-1"]);
    expect(form()).toMatchObject({ operationId: "op-1", problem: null });
  });

  it("is another stop, under another id, after a refusal", async () => {
    const { store, orders, form } = await sentTo([() => refused("PLAN_STALE"), () => ok({})]);
    await store.confirm();
    expect(form()).toMatchObject({ operationId: null, problem: { code: "PLAN_STALE" } });
    store.fill({ reason: "it hangs still" });
    expect(form()?.problem).toBeNull();
    await store.confirm();
    expect(orders.map(({ operationId }) => operationId)).toEqual(["op-1", "op-2"]);
  });
});
