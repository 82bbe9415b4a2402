import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import type { FlowStore } from "../../../main/store/ports.ts";
import { type FaultProxy, isLonePut, startFaultProxy } from "../../support/fault-proxy.ts";
import { lockInput, takeLock } from "../../support/lock-inputs.ts";
import { freshRun } from "../../support/store-entities.ts";
import {
  type KintoneFixture,
  openStore,
  startKintoneFixture,
  systemClock,
} from "../../support/store-fixture.ts";

let kintone: KintoneFixture;
let proxy: FaultProxy;
let store: FlowStore;

beforeAll(async () => {
  kintone = await startKintoneFixture();
  proxy = await startFaultProxy(kintone.port);
  store = openStore(kintone, { port: proxy.port });
});
afterEach(() => proxy.clear());
afterAll(async () => {
  await store.dispose();
  await proxy.dispose();
  await kintone.dispose();
});

const short = (heartbeatMs: number) => lockInput({ leaseMs: 3_000, heartbeatMs });
const beats = (): number => proxy.requests().filter(isLonePut).length;

describe("the heartbeat (fenced-writes §1)", () => {
  it("renews the lease with one request a beat, from the acquisition on", async () => {
    const input = short(50);
    const session = await takeLock(store, input);
    proxy.clear();
    await vi.waitFor(() => expect(beats()).toBeGreaterThanOrEqual(3));
    expect(proxy.requests().every(isLonePut)).toBe(true);
    expect(session.state()).toBe("HELD");
    await session.dispose();
    const lock = await store.findLock(input);
    expect(lock?.revision).toBe(lock?.ref.revision);
    expect(lock?.ref.revision).toBeGreaterThan(3);
  });

  it("is postponed by writes that are due anyway", async () => {
    const session = await takeLock(store, short(100_000));
    proxy.clear();
    for (let round = 0; round < 5; round += 1) await session.write([{ kind: "run.insert", run: freshRun() }]);
    expect(beats()).toBe(0);
    await session.dispose();
  });

  it("survives a lost beat without losing the fence (W-02)", async () => {
    const session = await takeLock(store, short(50));
    proxy.on(isLonePut, { kind: "lose-answer" }, 2);
    await vi.waitFor(() => expect(proxy.unmet()).toBe(0));
    expect((await session.write([{ kind: "run.insert", run: freshRun() }])).kind).toBe("applied");
    expect(session.state()).toBe("HELD");
    await session.dispose();
  });

  it("ended by a defect: the lease is uncertain, writes still prove it, and dispose tells no other outcome", async () => {
    let broken = false;
    const monotonicMs = (): number => {
      if (!broken) return systemClock.monotonicMs();
      broken = false;
      throw new Error("the clock broke");
    };
    const own = openStore(kintone, { clock: { ...systemClock, monotonicMs } });
    const session = await takeLock(own, short(50));
    broken = true;
    await vi.waitFor(() => expect(session.interrupted()).toBe(true));
    expect((await session.write([{ kind: "run.insert", run: freshRun() }])).kind).toBe("applied");
    await expect(session.dispose()).resolves.toBeUndefined();
    await own.dispose();
  });

  it("dispose waits for the beat in flight and sends nothing afterwards (W-27)", async () => {
    const session = await takeLock(store, short(20));
    const arrived = Promise.withResolvers<void>();
    const go = Promise.withResolvers<void>();
    proxy.clear();
    proxy.on(isLonePut, {
      kind: "first",
      run: () => {
        arrived.resolve();
        return go.promise;
      },
    });
    await arrived.promise;
    let disposed = false;
    const ending = session.dispose().then(() => {
      disposed = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(disposed).toBe(false);
    go.resolve();
    await ending;
    const sent = proxy.requests().length;
    expect((await session.write([{ kind: "run.insert", run: freshRun() }])).kind).toBe("unsettled");
    expect(proxy.requests().length).toBe(sent);
  });

  it("a release waits for the beat in flight and then succeeds (W-27)", async () => {
    const input = short(20);
    const session = await takeLock(store, input);
    const arrived = Promise.withResolvers<void>();
    const go = Promise.withResolvers<void>();
    proxy.on(isLonePut, {
      kind: "first",
      run: () => {
        arrived.resolve();
        return go.promise;
      },
    });
    await arrived.promise;
    const released = session.release({ status: "SUCCESS", resultCode: "OK" });
    go.resolve();
    expect((await released).kind).toBe("applied");
    expect(await store.findLock(input)).toBeNull();
    await session.dispose();
  });

  it("stops once the lock was released by somebody else", async () => {
    const session = await takeLock(store, short(20));
    const body = JSON.stringify({ code: "GAIA_RE01", id: "x", message: "gone" });
    proxy.on(isLonePut, { kind: "answer", status: 404, body });
    await vi.waitFor(() => expect(session.state()).toBe("FENCE_LOST"));
    expect(session.remainingLeaseMs()).toBe(0);
    await session.dispose();
  });
});
