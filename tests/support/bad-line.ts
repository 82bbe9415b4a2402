import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll } from "vitest";
import { type KintoneTransport, write } from "../../main/kintone-client/index.ts";
import type { Change, FlowStore } from "../../main/store/ports.ts";
import { type FaultProxy, startFaultProxy } from "./fault-proxy.ts";
import { freshInvocation, freshRun, freshState } from "./store-entities.ts";
import { type KintoneFixture, openStore, startKintoneFixture } from "./store-fixture.ts";

/** A store behind a faulty line, and whoever reaches the same records past it. */
export interface BadLine {
  readonly kintone: KintoneFixture;
  readonly proxy: FaultProxy;
  /** Through the proxy. */
  readonly store: FlowStore;
  /** Past the proxy: a second host. */
  readonly other: FlowStore;
  /** Past the proxy: a person. */
  readonly person: KintoneTransport & { dispose(): Promise<void> };
}

/** Opens one for the tests of a file and disposes it after them; faults are cleared after each. */
export function badLineForTests(): () => BadLine {
  let line: BadLine | null = null;
  const opened = (): BadLine => {
    if (line === null) throw new Error("the line is opened before the first test");
    return line;
  };
  beforeAll(async () => {
    const kintone = await startKintoneFixture();
    const proxy = await startFaultProxy(kintone.port);
    const store = openStore(kintone, { port: proxy.port });
    line = { kintone, proxy, store, other: openStore(kintone), person: kintone.transport() };
  });
  afterEach(() => opened().proxy.clear());
  afterAll(async () => {
    const { store, other, person, proxy, kintone } = opened();
    await store.dispose();
    await other.dispose();
    await person.dispose();
    await proxy.dispose();
    await kintone.dispose();
  });
  return opened;
}

export const json = (code: string): string => JSON.stringify({ code, id: "x", message: "refused" });
export const bulkError = (index: number, code: string): string =>
  JSON.stringify({ results: [0, 1, 2].map((at) => (at === index ? JSON.parse(json(code)) : {})) });
export const html = "<html><body>maintenance</body></html>";

export interface Created {
  readonly runId: string;
  readonly changes: readonly Change[];
}

export function creation(): Created {
  const run = freshRun();
  return {
    runId: run.runId,
    changes: [
      { kind: "run.insert", run },
      { kind: "invocation.insert", invocation: freshInvocation(run.runId) },
      { kind: "nodeStates.insert", states: [freshState(run.runId, "a"), freshState(run.runId, "b")] },
    ],
  };
}

/** The lock record as a person opens and saves it: nothing changes but its revision. */
export async function touchLock(
  { person, kintone }: BadLine,
  lock: { readonly recordId: string },
): Promise<void> {
  const entry = { id: lock.recordId, record: { network_id: { value: "touched by hand" } } };
  const answer = await person.send(write({ kind: "updateRecord", app: kintone.apps.state, entry }));
  if (answer.kind !== "ok") throw new Error(JSON.stringify(answer));
}

/** What a forced release leaves behind (wire-format §1.1). */
export async function forceRelease(
  { person, kintone }: BadLine,
  lock: { readonly recordId: string },
): Promise<void> {
  const entry = {
    id: lock.recordId,
    record: {
      record_key: { value: `LOCKDONE:${randomUUID()}` },
      lock_key: { value: "" },
      owner_invocation_id: { value: "" },
      lease_token: { value: "" },
      status: { value: "CANCELLED" },
      status_reason: { value: "NETWORK_LOCK_FORCE_RELEASED" },
    },
  };
  const answer = await person.send(write({ kind: "updateRecord", app: kintone.apps.state, entry }));
  if (answer.kind !== "ok") throw new Error(JSON.stringify(answer));
}
