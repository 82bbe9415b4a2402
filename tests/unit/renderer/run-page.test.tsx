import { act, cleanup, screen } from "@testing-library/react";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { RunPage } from "../../../renderer/run/run-page.tsx";
import type { RunDetail, RunRow } from "../../../shared/api/index.ts";
import { openStores } from "./open-stores.ts";
import { node } from "./run-facts.ts";
import { showBare, standInForLayout } from "./shown-window.tsx";

afterEach(cleanup);
beforeAll(standInForLayout);

const run: RunRow = {
  runId: "run-1",
  networkId: "sales_import",
  profile: "prod",
  businessKey: "sales_import@2026-09-04",
  status: "RUNNING",
  lifecycle: "ACTIVE",
  resumeAllowed: true,
  activity: null,
  activityJudgedAt: null,
  asOf: null,
  createdAt: "2026-09-05T04:00:00Z",
  startedAt: "2026-09-05T04:00:00Z",
  finishedAt: null,
  updatedAt: "2026-09-05T04:10:00Z",
  recordId: "7",
  revision: 3,
};
const records: RunDetail = {
  run,
  definitionSha256: "a".repeat(64),
  bundleSha256: "b".repeat(64),
  flowVersion: "1.0.0",
  engineVersion: "0.9.0",
  hold: null,
  nodes: [node({})],
  attempts: [],
  attemptTotal: 0,
  attemptsNext: null,
  invocations: [],
  resolutions: [],
  inconsistencies: [],
  readAt: "2026-09-05T04:11:00Z",
};

describe("the page of a Run", () => {
  it("keeps the focus on the tab that has it while the records come in (operator-ux U5)", async () => {
    const stores = openStores();
    const list = stores.runs.store.getState().list;
    stores.runs.store.setState({ list: { ...list, rows: { [run.runId]: run } } });
    await showBare(stores, <RunPage runId={run.runId} />);
    const graph = screen.getByRole("link", { name: "グラフ" });
    act(() => graph.focus());
    act(() => stores.runDetail.store.setState({ detail: { phase: "ready", value: records, problem: null } }));
    expect(screen.getByRole("button", { name: /操作/ })).toBeDefined();
    expect(document.activeElement).toBe(graph);
  });
});
