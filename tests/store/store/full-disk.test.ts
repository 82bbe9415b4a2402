import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { uploadFile } from "../../../main/kintone-client/index.ts";
import { type AcquireOutcome, createKintoneStore, type FlowStore } from "../../../main/store/index.ts";
import {
  type KintoneFixture,
  realSleep,
  startKintoneFixture,
  systemClock,
} from "../../support/store-fixture.ts";

let kintone: KintoneFixture;
beforeAll(async () => {
  kintone = await startKintoneFixture({ maxPageCount: 150 });
  await fill();
});
afterAll(() => kintone.dispose());

/** Takes every page there is: large files first, then ever smaller ones. */
async function fill(): Promise<void> {
  const transport = kintone.transport();
  for (let size = 128 * 1024; size >= 1; size = Math.floor(size / 2)) {
    const file = { name: "f", contentType: "application/octet-stream", bytes: new Uint8Array(size) };
    for (;;) {
      const answer = await transport.send(uploadFile(kintone.apps.state, file));
      if (answer.kind !== "ok") break;
    }
  }
  await transport.dispose();
}

const lock = (store: FlowStore, n: number): Promise<AcquireOutcome> =>
  store.acquireLock({
    profile: "p",
    networkId: `full_${n}`,
    ownerInvocationId: "invoke_1",
    ownerInstanceId: "local-pid://host/1",
    leaseMs: 3_000,
    heartbeatMs: 1_000,
  });

describe("a store whose disk is full (wire-format §4.3)", () => {
  it("names the server's own code and words when the lock cannot be taken", async () => {
    const transport = kintone.transport();
    const store = createKintoneStore({
      transport,
      apps: kintone.apps,
      clock: systemClock,
      ids: { uuid: () => randomUUID() },
      sleep: realSleep,
    });
    // Pages that are begun still take some records.
    let outcome = await lock(store, 0);
    for (let n = 1; outcome.kind === "acquired" && n < 200; n += 1) {
      await outcome.session.dispose();
      outcome = await lock(store, n);
    }
    if (outcome.kind !== "unavailable") throw new Error(`the lock is ${outcome.kind}`);
    expect(outcome.problem.code).toBe("LOCK_UNAVAILABLE");
    expect(outcome.problem.message).toMatch(
      /HTTP 500\).* LOCAL_DISK_FULL .*(disk is full|ディスクがいっぱい)/,
    );
    expect(outcome.problem.message).not.toContain("answered.");
    expect(outcome.problem.details).toMatchObject({ status: 500, said: { code: "LOCAL_DISK_FULL" } });
    await store.dispose();
    await transport.dispose();
  });
});
