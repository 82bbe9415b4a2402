import { beforeAll, describe, expect, it } from "vitest";
import type { FlowStore } from "../../../main/store/ports.ts";
import { badLineForTests, creation, forceRelease, html, touchLock } from "../../support/bad-line.ts";
import { type Fault, type FaultProxy, isBulk, isLonePut, isRead } from "../../support/fault-proxy.ts";
import { lockInput, takeLock } from "../../support/lock-inputs.ts";

const line = badLineForTests();
let proxy: FaultProxy;
/** Through the proxy. */
let store: FlowStore;
/** Past the proxy. */
let other: FlowStore;
beforeAll(() => {
  ({ proxy, store, other } = line());
});

describe("somebody touches the lock record (fenced-writes R1)", () => {
  it("a saved edit uses the revision up; the write is planned again and applied once", async () => {
    const input = lockInput();
    const session = await takeLock(store, input);
    const lock = await other.findLock(input);
    if (lock === null) throw new Error("no lock");
    await touchLock(line(), lock.ref);
    const { runId, changes } = creation();
    expect((await session.write(changes)).kind).toBe("applied");
    expect((await other.readRunGraph(runId)).states).toHaveLength(2);
    expect((await other.findLock(input))?.ref.revision).toBe(3);
    await session.dispose();
  });

  it("two edits are more than this protocol can account for: fence lost", async () => {
    const input = lockInput();
    const session = await takeLock(store, input);
    const lock = await other.findLock(input);
    if (lock === null) throw new Error("no lock");
    await touchLock(line(), lock.ref);
    await touchLock(line(), lock.ref);
    const { runId, changes } = creation();
    expect(await session.write(changes)).toMatchObject({
      kind: "fence-lost",
      problem: { code: "LEASE_REVISION_MISMATCH" },
    });
    expect((await other.readRunGraph(runId)).run).toBeNull();
    await session.dispose();
  });

  it("a forced release is met as fence lost, also while a new holder has the lock", async () => {
    const input = lockInput();
    const session = await takeLock(store, input);
    const lock = await other.findLock(input);
    if (lock === null) throw new Error("no lock");
    await forceRelease(line(), lock.ref);
    const successor = await takeLock(other, { ...input, ownerInvocationId: "invoke_next" });
    const { runId, changes } = creation();
    expect((await session.write(changes)).kind).toBe("fence-lost");
    expect((await session.release({ status: "SUCCESS", resultCode: "OK" })).kind).toBe("fence-lost");
    expect((await other.readRunGraph(runId)).run).toBeNull();
    expect((await successor.write(creation().changes)).kind).toBe("applied");
    await session.dispose();
    await successor.dispose();
  });
});

describe("a release whose answer is lost (fenced-writes R2, R7)", () => {
  const faults: readonly (readonly [string, Fault])[] = [
    ["after the commit", { kind: "lose-answer" }],
    ["before it arrived", { kind: "lose-request" }],
    ["behind a gateway page", { kind: "replace", status: 502, body: html, type: "text/html" }],
  ];
  it.each(faults)("is settled by the tombstone: lost %s", async (_name, fault) => {
    const input = lockInput();
    const session = await takeLock(store, input);
    proxy.on(isLonePut, fault);
    expect((await session.release({ status: "CANCELLED", resultCode: "STOP_REQUESTED" })).kind).toBe(
      "applied",
    );
    expect(session.state()).toBe("RELEASED");
    expect(await other.findLock(input)).toBeNull();
    await session.dispose();
  });

  it("a final write with its release is settled by its own witness", async () => {
    const input = lockInput();
    const session = await takeLock(store, input);
    const { runId, changes } = creation();
    proxy.on(isBulk, { kind: "lose-answer" });
    const outcome = await session.write(changes, { release: { status: "SUCCESS", resultCode: "OK" } });
    expect(outcome.kind).toBe("applied");
    expect(session.state()).toBe("RELEASED");
    expect((await other.readRunGraph(runId)).states).toHaveLength(2);
    await session.dispose();
  });

  it("a forced release in between is not taken for the own one", async () => {
    const input = lockInput();
    const session = await takeLock(store, input);
    const lock = await other.findLock(input);
    if (lock === null) throw new Error("no lock");
    proxy.on(isLonePut, { kind: "lose-request" });
    proxy.on(isRead, { kind: "first", run: () => forceRelease(line(), lock.ref) });
    expect((await session.release({ status: "CANCELLED", resultCode: "STOP_REQUESTED" })).kind).toBe(
      "fence-lost",
    );
    await session.dispose();
  });
});
