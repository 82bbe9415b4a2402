import { expect, it } from "vitest";
import { isBulk, isRead, startFaultProxy } from "../../support/fault-proxy.ts";
import { takeLock } from "../../support/lock-inputs.ts";
import { freshAttempt, freshRun, freshState } from "../../support/store-entities.ts";
import { openStore, startKintoneFixture } from "../../support/store-fixture.ts";

it("a node start whose answer is lost costs two reads: the witness tells the id of the Attempt (fenced-writes section 4)", async () => {
  const kintone = await startKintoneFixture();
  const proxy = await startFaultProxy(kintone.port);
  const store = openStore(kintone, { port: proxy.port });
  try {
    const session = await takeLock(store);
    const state = freshState(freshRun().runId, "a");
    const made = await session.write([{ kind: "nodeStates.insert", states: [state] }]);
    const [ref] = made.kind === "applied" ? made.refs : [];
    if (ref === undefined) throw new Error(made.kind);
    const attempt = freshAttempt(state, "invoke_x");
    proxy.clear();
    proxy.on(isBulk, { kind: "lose-answer" });
    const started = await session.write([
      { kind: "attempt.insert", attempt },
      { kind: "nodeState.update", ref, next: { ...state, status: "RUNNING", revision: 2 } },
    ]);
    expect(proxy.requests().filter(isRead)).toHaveLength(2);
    const [stored] = await store.listAttempts(state.runId);
    expect(stored?.attemptId).toBe(attempt.attemptId);
    expect(started).toEqual({ kind: "applied", refs: [stored?.ref, { ...ref, revision: 2 }] });
    await session.dispose();
  } finally {
    await store.dispose();
    await proxy.dispose();
    await kintone.dispose();
  }
});
