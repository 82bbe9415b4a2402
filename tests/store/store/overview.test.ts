import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { FlowStore } from "../../../main/store/ports.ts";
import { openFlowRecords } from "../../support/flow-records.ts";
import { takeLock } from "../../support/lock-inputs.ts";
import { freshInvocation, freshRun } from "../../support/store-entities.ts";
import { type KintoneFixture, openStore, startKintoneFixture } from "../../support/store-fixture.ts";

let kintone: KintoneFixture;
let store: FlowStore;

beforeAll(async () => {
  kintone = await startKintoneFixture();
  store = openStore(kintone);
});
afterAll(async () => {
  await store.dispose();
  await kintone.dispose();
});

const aheadOfNow = (): string => new Date(Date.now() + 3_600_000).toISOString();

describe("what the picture of all Runs is read by (operator-ux U2)", () => {
  it("answers Runs, holds and held locks with one request, and only the locks when nothing was written", async () => {
    const session = await takeLock(store);
    const run = freshRun();
    await session.write([
      { kind: "run.insert", run },
      { kind: "invocation.insert", invocation: freshInvocation(run.runId) },
    ]);
    const records = openFlowRecords(kintone);
    await records.requestHold(run.runId);
    await records.dispose();

    kintone.seen.clear();
    const all = await store.readOverview(null);
    expect(kintone.seen.list()).toHaveLength(1);
    expect(all.runs.map((each) => each.runId)).toEqual([run.runId]);
    expect(all.holds).toMatchObject([{ runId: run.runId, state: "REQUESTED" }]);
    expect(all.locks.map((each) => each.lockKey)).toEqual([session.lockKey]);

    const sinceTheHourBefore = await store.readOverview(new Date(Date.now() - 3_600_000).toISOString());
    expect(sinceTheHourBefore).toEqual(all);

    const later = await store.readOverview(aheadOfNow());
    expect(later).toMatchObject({ runs: [], holds: [] });
    expect(later.locks.map((each) => each.lockKey)).toEqual([session.lockKey]);

    await session.release({ status: "SUCCESS", resultCode: "OK" });
    await session.dispose();
    expect((await store.readOverview(aheadOfNow())).locks).toEqual([]);
  });
});
