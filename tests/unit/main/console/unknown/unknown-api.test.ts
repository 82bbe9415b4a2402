import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type OpenedWorkspace, openEmbedded, systemClock } from "../../../../../main/console/index.ts";
import type { ConsoleApi, EvidenceRow, UnknownDetail } from "../../../../../shared/api/index.ts";
import { type ConsoleFixture, code, openConsoleOver, value } from "../../../../support/console-fixture.ts";
import {
  INCIDENT_LEASE_MS,
  INCIDENT_NODE,
  type Incident,
  makeIncident,
} from "../../../../support/incident.ts";

const SLOW = 180_000;
let dataDir = "";
let incident: Incident;
let workspace: OpenedWorkspace;
let opened: ConsoleFixture;
let api: ConsoleApi;
let offsetMs = 0;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "flownet-unknown-"));
  incident = await makeIncident(dataDir, "deal_close@2026-09", "both");
  workspace = await openEmbedded({ dataDir, env: process.env, endServer: true });
  const clock = { ...systemClock, nowMs: () => Date.now() + offsetMs };
  opened = await openConsoleOver(workspace, clock);
  api = opened.api;
}, SLOW);

afterAll(async () => {
  await opened.close();
  await workspace.dispose();
  await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
}, SLOW);

const node = () => ({ runId: incident.runId, nodeId: INCIDENT_NODE });
const detail = async (): Promise<UnknownDetail> => value(await api.unknown.detail(node()));
const shows = (rows: readonly EvidenceRow[]) => rows.map((row) => [row.evidence, row.reading, row.shows]);
const stateOf = (picture: { readonly steps: readonly { readonly step: string; readonly state: string }[] }) =>
  Object.fromEntries(picture.steps.map(({ step, state }) => [step, state]));

describe("an orchestrator and its job, killed in the middle of the SQL (screens, 結果不明)", () => {
  it("is at work by the records for as long as the lease stands", async () => {
    value(await api.runs.refresh({}));
    expect(value(await api.unknown.list({})).doubts).toEqual([]);
    expect((await detail()).kind).toBe("running");
    const picture = value(await api.unknown.recovery({ runId: incident.runId }));
    expect(stateOf(picture)).toMatchObject({ staleLock: "waits", forceUnlock: "later", adjudicate: "done" });
  });

  it("is left behind once the lease and its margin are over, and a resume would find it UNKNOWN", async () => {
    offsetMs = INCIDENT_LEASE_MS + 3 * 60_000;
    value(await api.runs.refresh({}));
    const { doubts } = value(await api.unknown.list({}));
    expect(doubts).toMatchObject([
      { kind: "orphan", nodeId: INCIDENT_NODE, attemptId: incident.attemptId, attemptNo: 1 },
    ]);
    expect(value(await api.unknown.locate({ attemptId: incident.attemptId }))).toEqual(node());
    const told = await detail();
    expect(told.forecast).toEqual({ kind: "settled", status: "UNKNOWN", code: "NO_EXECUTION_RESULT" });
    expect(new Set(told.outcomes.map(({ problem }) => problem?.code))).toEqual(
      new Set(["NODE_NOT_RESOLVABLE"]),
    );
  });

  it("tells every piece of evidence with what it shows, the dead process by its identity", async () => {
    const { evidence } = await detail();
    expect(shows(evidence)).toEqual([
      ["resultFile", "absent", "noResult"],
      ["jobLog", "present", "logOpen"],
      ["sqlStart", "present", "sqlStarted"],
      ["child", "absent", "childGone"],
      expect.arrayContaining(["progress"]),
      // This console follows what survives; a job that is gone by then has its end written down.
      ["journal", "present", expect.stringMatching(/^journal(OwnerDied|LateEnd)$/)],
      ["inputs", "absent", "inputsNone"],
    ]);
    const child = evidence.find((row) => row.evidence === "child");
    expect(child?.values).toContainEqual({ name: "pid", value: String(incident.childPid), kind: "id" });
    expect(child?.values.map(({ name }) => name)).toContain("processStart");
  });

  it("says where the recovery stands: the lock, and what a resume would judge", async () => {
    const picture = value(await api.unknown.recovery({ runId: incident.runId }));
    expect(stateOf(picture)).toEqual({
      staleLock: "done",
      stopConfirmed: "done",
      forceUnlock: "now",
      adjudicate: "later",
      resolve: "later",
      jobLock: "later",
      resume: "later",
      success: "later",
    });
    expect(picture.lock?.lock.holder?.pid).toBe(incident.ownerPid);
    expect(picture.jobLocks.map(({ nodeId }) => nodeId)).toEqual([INCIDENT_NODE]);
    expect(picture.orphans.map(({ nodeId, forecast }) => [nodeId, forecast?.kind])).toEqual([
      [INCIDENT_NODE, "settled"],
    ]);
  });
});

describe("the business data its SQL writes to (screens, 業務データ)", () => {
  it("asks the very app, with the runner's own token, for what changed since the minute of the start", async () => {
    const reading = value(await api.unknown.query(node()));
    const [target] = reading.targets;
    expect(reading.targets).toHaveLength(1);
    expect(target).toMatchObject({ app: "案件", operations: ["UPDATE"], fields: ["担当者"], problem: null });
    expect(target?.total).toBe(3600);
    expect(target?.asked).toEqual([
      "limit 1",
      `更新日時 >= "${reading.since?.replace("00Z", "00.000Z")}" order by 更新日時 desc, $id desc limit 50`,
    ]);
    // The samples were made in the same minutes: how many of them count as changed is the clock's.
    expect(target?.matching).toBeGreaterThan(0);
    expect(target?.records).toHaveLength(50);
  });

  it("counts its requests to the app in the budget of the day: the form, all records, the answer (operator-ux U2)", async () => {
    const [target] = value(await api.unknown.query(node())).targets;
    const before = workspace.requests.used(target?.appId ?? 0);
    expect(before).toBeGreaterThanOrEqual(3);
    value(await api.unknown.query(node()));
    expect(workspace.requests.used(target?.appId ?? 0) - before).toBe(3);
  });

  it("asks what an operator types, and finds what the killed job had written", async () => {
    const condition = '担当者 in ("締め処理 1", "締め処理 2", "締め処理 3")';
    const [target] = value(await api.unknown.query({ ...node(), condition })).targets;
    expect(target?.matching).toBeGreaterThan(0);
    expect(target?.matching).toBeLessThanOrEqual(target?.total ?? 0);
    expect(target?.asked[1]).toBe(`(${condition}) order by 更新日時 desc, $id desc limit 50`);
  });

  it("explains kintone's own refusal in the part of the app, and refuses what is no condition", async () => {
    const [target] = value(await api.unknown.query({ ...node(), condition: '無い項目 = "1"' })).targets;
    expect(target?.problem?.code).toBe("STORE_REFUSED");
    expect(target?.records).toEqual([]);
    const clause = await api.unknown.query({ ...node(), condition: "金額 > 1 limit 500" });
    expect(code(clause)).toBe("CONDITION_CLAUSE");
    const long = "x".repeat(2001);
    await expect(api.unknown.query({ ...node(), condition: long })).rejects.toMatchObject({
      code: "BAD_REQUEST",
    });
  });

  it("is empty for a node that writes nowhere, and a problem for one that does not exist", async () => {
    const extract = { runId: incident.runId, nodeId: "extract" };
    expect(value(await api.unknown.query(extract)).targets).toEqual([]);
    expect(code(await api.unknown.query({ ...extract, nodeId: "nobody" }))).toBe("RECORD_NOT_FOUND");
    expect(code(await api.unknown.detail({ runId: "netrun_nobody", nodeId: "x" }))).toBe("RECORD_NOT_FOUND");
  });

  it("leaves every record as it was (operator-ux D13)", async () => {
    const before = await workspace.reads.readRunGraph(incident.runId);
    await detail();
    await api.unknown.query(node());
    await api.unknown.recovery({ runId: incident.runId });
    const afterwards = await workspace.reads.readRunGraph(incident.runId);
    expect(afterwards).toEqual(before);
  });
});
