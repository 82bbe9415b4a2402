import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createPictureReader } from "../../../main/console/live-model-read.ts";
import type { FlowStore, LockSession } from "../../../main/store/ports.ts";
import type { RunRow } from "../../../shared/api/index.ts";
import type { RecordRef, Run } from "../../../shared/domain/model.ts";
import { type ConsoleFixture, openConsoleOver, value } from "../../support/console-fixture.ts";
import { lockInput, takeLock } from "../../support/lock-inputs.ts";
import { openScriptedWorkspace, type ScriptedWorkspace } from "../../support/scripted-workspace.ts";
import { freshInvocation, freshRun } from "../../support/store-entities.ts";
import { openStore } from "../../support/store-fixture.ts";

let scripted: ScriptedWorkspace;
let store: FlowStore;
let opened: ConsoleFixture;
let run: Run;
let ref: RecordRef;
let session: LockSession;
const signal = new AbortController().signal;

beforeAll(async () => {
  scripted = await openScriptedWorkspace();
  store = openStore(scripted.kintone);
});
afterAll(async () => {
  await store.dispose();
  await scripted.dispose();
});

/** Another process takes the lock and starts a Run under it. */
beforeEach(async () => {
  run = freshRun({ status: "RUNNING", startedAt: new Date().toISOString() });
  const invocation = freshInvocation(run.runId);
  const { networkId } = run;
  session = await takeLock(store, lockInput({ networkId, ownerInvocationId: invocation.invocationId }));
  const written = await session.write([
    { kind: "run.insert", run },
    { kind: "invocation.insert", invocation },
  ]);
  const [first] = written.kind === "applied" ? written.refs : [];
  if (first === undefined) throw new Error("the Run was not written");
  ref = first;
});
afterEach(async () => {
  await session.dispose();
});

/** The end and the release of the lock, in one request. */
async function end(release: boolean): Promise<void> {
  const at = new Date().toISOString();
  const { runId, profileSnapshot, networkId, businessKey } = run;
  const recordKey = { profile: profileSnapshot.profile, networkId, businessKey };
  const change = { kind: "run.aggregate" as const, runId, recordKey, ref, status: "SUCCESS" as const };
  const times = { startedAt: run.startedAt, finishedAt: at, updatedAt: at };
  const options = release ? { release: { status: "SUCCESS" as const, resultCode: "OK" } } : {};
  const outcome = await session.write([{ ...change, ...times }], options);
  if (outcome.kind !== "applied") throw new Error(`the end was not written: ${outcome.kind}`);
}

const shown = (row: RunRow | null): readonly unknown[] => [row?.status, row?.activity];

describe("a Run that another process ends while a page looks at it (operator-ux §1.1, U9)", () => {
  it("is not shown as alive by its page, nor by the list that page was reached from", async () => {
    opened = await openConsoleOver(scripted.workspace);
    try {
      const { api } = opened;
      const list = async (): Promise<RunRow | null> => {
        const { rows } = value(await api.runs.list({ limit: 500 }));
        return rows.find(({ runId }) => runId === run.runId) ?? null;
      };
      expect(shown(await list())).toEqual(["RUNNING", "LIVE"]);
      await end(true);
      const detail = value(await api.runs.detail({ runId: run.runId }));
      expect(shown(detail.run)).toEqual(["SUCCESS", null]);
      // The page read it anew, so the list hears of it now and not with its next reading.
      for await (const batch of await api.live.watch({}, { signal: AbortSignal.timeout(10_000) })) {
        const news = batch.runs.find(({ id }) => id === run.runId);
        if (batch.resync ? (await list())?.status === "SUCCESS" : news?.fields.status === "SUCCESS") break;
      }
      expect(shown(await list())).toEqual(["SUCCESS", null]);
    } finally {
      await opened.close();
    }
  });

  it("is not called alive, and not interrupted, by a lock that was read before its end", async () => {
    let ended = false;
    const reads = {
      ...store,
      async listHeldLocks() {
        const locks = await store.listHeldLocks();
        if (!ended) await end(true);
        ended = true;
        return locks;
      },
    };
    const reader = createPictureReader(reads, () => Date.now());
    expect(shown(await reader.readOne(run.runId, signal))).toEqual(["SUCCESS", null]);
  });

  it("counts as alive while its owner is at work again on the ended record (W-06)", async () => {
    await end(false);
    const reader = createPictureReader(store, () => Date.now());
    expect(shown(await reader.readOne(run.runId, signal))).toEqual(["SUCCESS", "LIVE"]);
    opened = await openConsoleOver(scripted.workspace);
    const detail = value(await opened.api.runs.detail({ runId: run.runId }));
    await opened.close();
    expect(shown(detail.run)).toEqual(["SUCCESS", "LIVE"]);
    await session.release({ status: "SUCCESS", resultCode: "OK" });
  });
});
