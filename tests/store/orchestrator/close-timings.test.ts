import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { createRecovery, type RecoveryDeps } from "../../../main/orchestrator/recovery/index.ts";
import type { ArchiveRunInput, Recovery } from "../../../main/orchestrator/recovery-ports.ts";
import { createKintoneStore } from "../../../main/store/index.ts";
import type { FlowStore } from "../../../main/store/ports.ts";
import type { Run } from "../../../shared/domain/model.ts";
import { type BadLine, badLineForTests, bulkError, html, json } from "../../support/bad-line.ts";
import { type Fault, isBulk, isInsert, isRead, type ProxiedRequest } from "../../support/fault-proxy.ts";
import { openFlowRecords } from "../../support/flow-records.ts";
import { realSleep, systemClock } from "../../support/store-fixture.ts";
import { seedRun } from "./seeded-run.ts";

const line = badLineForTests();
let bad: BadLine;
let recovery: Recovery;
/** Of another host, past the line. */
let elsewhere: Recovery;

const recoveryOver = (store: FlowStore): Recovery => {
  const deps: RecoveryDeps = {
    store,
    clock: systemClock,
    ids: { uuid: () => randomUUID() },
    profile: "prod",
    host: "HOST-A",
    ownerInstanceId: "local-pid://HOST-A/99",
    journalLockOwner: async () => {},
    judgeOwner: async () => ({ kind: "gone", by: "pid" }),
    askCloudRun: async () => ({ kind: "unknown", why: "not asked" }),
  };
  return createRecovery(deps);
};
beforeAll(() => {
  bad = line();
  recovery = recoveryOver(bad.store);
  elsewhere = recoveryOver(bad.other);
});

const FAILED = { status: "FAILED", statusReason: "SQL_ERROR" } as const;
const close = (run: Run): ArchiveRunInput => ({
  ...{ profile: "prod", networkId: run.networkId, runId: run.runId, reason: "settled by hand", seen: null },
  ...{ requestedBy: "ops1", servicePrincipal: "svc" },
});
const failedRun = async (): Promise<Run> => (await seedRun(bad.other, "FAILED", { a: FAILED })).run;
const asked =
  (column: string) =>
  (request: ProxiedRequest): boolean =>
    isRead(request) && request.query.includes(column);

/** What is in the store afterwards: never an archived Run without its audit, and one audit at most. */
async function standing(run: Run, eventId: string) {
  const stored = await bad.other.findRunById(run.runId);
  const audited = (await bad.other.findAudit(eventId)) !== null;
  const lock = await bad.other.findLock({ profile: "prod", networkId: run.networkId });
  return { lifecycle: stored?.lifecycle, audited, locked: lock !== null };
}
const DONE = { lifecycle: "ARCHIVED", audited: true, locked: false };
const UNTOUCHED = { lifecycle: "ACTIVE", audited: false, locked: false };

describe("every answer of a CLOSE that is lost or delayed (orchestration §4.8, fenced-writes R1, R3)", () => {
  it.each<[string, (request: ProxiedRequest) => boolean, Fault]>([
    ["the lock's insert", isInsert, { kind: "lose-answer" }],
    ["the lock's insert, before it arrives", isInsert, { kind: "lose-request" }],
    ["the read of the Run", asked("NETWORK_RUN"), { kind: "lose-answer" }],
    ["the read of the hold", asked("CANCEL:"), { kind: "lose-answer" }],
    ["the write", isBulk, { kind: "cut-body" }],
    ["the write, by a gateway's page", isBulk, { kind: "replace", status: 502, body: html }],
    ["the write, which arrives twice", isBulk, { kind: "duplicate" }],
    ["the write, refused as too many", isBulk, { kind: "answer", status: 429, body: json("GAIA_TO04") }],
    [
      "the write, refused in a race",
      isBulk,
      { kind: "answer", status: 400, body: bulkError(1, "GAIA_DA02") },
    ],
  ])("%s: it is settled, and the Run is archived with its one audit", async (_what, match, fault) => {
    const run = await failedRun();
    bad.proxy.on(match, fault);
    const outcome = await recovery.archiveRun(close(run));
    expect(bad.proxy.unmet()).toBe(0);
    expect(outcome).toMatchObject({ outcome: "ARCHIVED", audit: "RECORDED", lockReleased: true, code: null });
    expect(await standing(run, outcome.eventId)).toEqual(DONE);
  });

  it.each<[string, (request: ProxiedRequest) => boolean]>([
    ["the Run", asked("NETWORK_RUN")],
    ["the hold", asked("CANCEL:")],
  ])("%s cannot be read: RUN_READ_FAILED, nothing written, the lock given back", async (_what, match) => {
    const run = await failedRun();
    bad.proxy.on(match, { kind: "answer", status: 403, body: json("GAIA_NO01") });
    const outcome = await recovery.archiveRun(close(run));
    expect(outcome).toMatchObject({ outcome: "REJECTED", code: "RUN_READ_FAILED", lockReleased: true });
    expect(await standing(run, outcome.eventId)).toEqual(UNTOUCHED);
  });
});

describe("what happens between the look and the write (orchestration §4.8, A6)", () => {
  /** Somebody with the record open saves it. */
  async function touch(run: Run, columns: Readonly<Record<string, string>>): Promise<void> {
    const stored = await bad.other.findRunById(run.runId);
    const records = openFlowRecords(bad.kintone);
    const record = Object.fromEntries(Object.entries(columns).map(([code, value]) => [code, { value }]));
    await records.update("state", { id: stored?.ref.recordId ?? "", record });
    await records.dispose();
  }
  it.each<[string, Readonly<Record<string, string>>, object, object]>([
    [
      "the Run is edited: refused, and left as it is",
      { business_key: "edited" },
      { outcome: "REJECTED", code: "ARCHIVE_WRITE_FAILED", lockReleased: true },
      UNTOUCHED,
    ],
    [
      "somebody else archived it: done already",
      { lifecycle_status: "ARCHIVED" },
      { outcome: "ALREADY_ARCHIVED", code: null, lockReleased: true },
      { ...UNTOUCHED, lifecycle: "ARCHIVED" },
    ],
  ])("%s", async (_what, columns, told, left) => {
    const run = await failedRun();
    bad.proxy.on(isBulk, { kind: "first", run: () => touch(run, columns) });
    const outcome = await recovery.archiveRun(close(run));
    expect(outcome).toMatchObject(told);
    expect(await standing(run, outcome.eventId)).toEqual(left);
  });

  it("the lock is taken away: LEASE_INTERRUPTED, the Run untouched, the lock not released by this process", async () => {
    const run = await failedRun();
    const takeAway = async (): Promise<void> => {
      const records = openFlowRecords(bad.kintone);
      await records.forceRelease(await records.lastLock());
      await records.dispose();
    };
    bad.proxy.on(isBulk, { kind: "first", run: takeAway });
    const outcome = await recovery.archiveRun(close(run));
    expect(outcome).toMatchObject({ outcome: "REJECTED", code: "LEASE_INTERRUPTED", lockReleased: false });
    expect(await standing(run, outcome.eventId)).toEqual(UNTOUCHED);
  });

  it("nothing is heard until the lease is over: ARCHIVE_UNCONFIRMED, and a second CLOSE tells how it stands", async () => {
    const run = await failedRun();
    const time = { ahead: 0 };
    const clock = {
      nowMs: () => Date.now() + time.ahead,
      monotonicMs: () => performance.now() + time.ahead,
    };
    const transport = bad.kintone.transport(bad.proxy.port);
    const store = createKintoneStore({
      ...{ transport, apps: bad.kintone.apps, clock, ids: { uuid: () => randomUUID() } },
      sleep: realSleep,
    });
    bad.proxy.on(isBulk, {
      kind: "lose-answer-after",
      run: async () => {
        // A minute goes by with every further request, so that a lease is over after the first of them.
        const passes = async (): Promise<void> => {
          time.ahead += 60_000;
        };
        bad.proxy.on(() => true, { kind: "answer", status: 502, body: html, run: passes }, 1_000);
      },
    });
    const outcome = await recoveryOver(store).archiveRun(close(run));
    expect(outcome).toMatchObject({ outcome: "UNCONFIRMED", code: "ARCHIVE_UNCONFIRMED", runRevision: null });
    bad.proxy.clear();
    await store.dispose();
    await transport.dispose();
    expect(await standing(run, outcome.eventId)).toEqual(DONE);
    expect(await elsewhere.archiveRun(close(run))).toMatchObject({ outcome: "ALREADY_ARCHIVED" });
  });
});

describe("STOP, failure and CLOSE in one order (orchestration §4.8, benign race)", () => {
  it("leaves an archived Run with a hold: it is never resumed, and RELEASE still works", async () => {
    const { run } = await seedRun(bad.other, "RUNNING", { a: FAILED });
    const isHold = (request: ProxiedRequest): boolean =>
      isInsert(request) && request.body.includes("CANCEL:");
    const between = async (): Promise<void> => {
      const stored = await bad.other.findRunById(run.runId);
      const records = openFlowRecords(bad.kintone);
      const record = { status: { value: "FAILED" } };
      await records.update("state", { id: stored?.ref.recordId ?? "", record });
      await records.dispose();
      expect(await elsewhere.archiveRun(close(run))).toMatchObject({ outcome: "ARCHIVED" });
    };
    bad.proxy.on(isHold, { kind: "first", run: between });
    const wish = { runId: run.runId, reason: "wait", requestedBy: "ops2", seen: null };
    expect(await recovery.cancelRun({ ...wish, release: false })).toMatchObject({ value: { changed: true } });
    expect(await bad.other.findRunById(run.runId)).toMatchObject({ lifecycle: "ARCHIVED" });
    expect(await bad.other.findHold(run.runId)).toMatchObject({ state: "REQUESTED" });
    expect(await recovery.cancelRun({ ...wish, release: true })).toMatchObject({
      value: { changed: true, hold: { state: "RELEASED" } },
    });
  });
});
