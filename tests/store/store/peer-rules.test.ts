import { describe, expect, it } from "vitest";
import { getRecords, write } from "../../../main/kintone-client/index.ts";
import { lockCodec, type WireRecord } from "../../../shared/records/index.ts";
import { badLineForTests, html } from "../../support/bad-line.ts";
import { isLonePut, type ProxiedRequest } from "../../support/fault-proxy.ts";
import { lockInput, takeLock } from "../../support/lock-inputs.ts";
import { freshRun, freshState } from "../../support/store-entities.ts";

const line = badLineForTests();

describe("what the peer asks, and what comes of it (orchestration section 11.1)", () => {
  it("W-02: a beat is never told by its own time, which comes back cut to the minute; by token and revision it is", async () => {
    const { store, proxy } = line();
    const input = lockInput();
    const session = await takeLock(store, input);
    const isBeat = (request: ProxiedRequest): boolean =>
      isLonePut(request) && request.body.includes("heartbeat_at");
    proxy.on(isBeat, { kind: "lose-answer" });
    expect(await session.beat()).toMatchObject({ kind: "applied" });
    const sent = proxy.requests().find(isBeat)?.body ?? "";
    const lock = await store.findLock(input);
    expect(lock?.ref.revision).toBe(2);
    expect(sent, "what the peer compares").not.toContain(`"${lock?.heartbeatAt}"`);
    expect(session.state()).toBe("HELD");
    await session.dispose();
  });

  it("W-14: a question without a page loses nodes of a large Run without a word; ours reads them all", async () => {
    const { store, kintone, person } = line();
    const session = await takeLock(store);
    const run = freshRun();
    const states = Array.from({ length: 150 }, (_, at) => freshState(run.runId, `n${at}`));
    await session.write([
      { kind: "run.insert", run },
      { kind: "nodeStates.insert", states },
    ]);
    const naive = `record_type in ("NODE_STATE") and run_id in ("${run.runId}")`;
    const answer = await person.send(getRecords(kintone.apps.state, naive));
    expect(answer.kind === "ok" && answer.value.length).toBe(100);
    expect(await store.listNodeStates(run.runId)).toHaveLength(150);
    await session.dispose();
  });

  it("W-27: a release that does not wait for a beat on its way meets a revision the beat has used up", async () => {
    const { store, kintone, person } = line();
    const input = lockInput();
    const session = await takeLock(store, input);
    const lock = await store.findLock(input);
    if (lock === null) throw new Error("no lock");
    const { recordId: id, revision } = lock.ref;
    const put = (record: WireRecord) => {
      const entry = { id, revision, record };
      return person.send(write({ kind: "updateRecord", app: kintone.apps.state, entry }));
    };
    const beat = lockCodec.encodeHeartbeat({ ...lock, revision: lock.revision + 1 });
    expect((await put(beat)).kind).toBe("ok");
    const tombstone = { recordKey: `LOCKDONE:${id}`, status: "SUCCESS", statusReason: "OK" } as const;
    const release = lockCodec.encodeRelease({ ...tombstone, revision: 2, finishedAt: lock.heartbeatAt });
    expect(await put(release)).toMatchObject({ kind: "refused", status: 409 });
    expect(await store.findLock(input), "left behind although the Run ended well").not.toBeNull();
    await session.dispose();
  });

  it("W-22: one bad gateway fails an upload that is sent once; ours repeats it", async () => {
    const { store, proxy } = line();
    const isFile = ({ path }: { readonly path: string }): boolean => path.includes("file.json");
    proxy.on(isFile, { kind: "answer", status: 502, body: html }, 2);
    const key = await store.uploadBundle(new Uint8Array([1, 2, 3]));
    expect(key).not.toBe("");
    expect(proxy.requests().filter(isFile)).toHaveLength(3);
  });
});
