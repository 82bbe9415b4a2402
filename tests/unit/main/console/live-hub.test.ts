import { describe, expect, it } from "vitest";
import { BATCH_GAP_MS, createLiveHub } from "../../../../main/console/live-model-hub.ts";
import { row } from "../../../support/run-rows.ts";

/** A hub on a clock that stands still until a wait is asked for. */
function openHub() {
  let nowMs = 0;
  const waits: number[] = [];
  const hub = createLiveHub({
    clock: { nowMs: () => nowMs, monotonicMs: () => nowMs },
    wait: async (ms) => {
      waits.push(ms);
      nowMs += ms;
    },
  });
  return { hub, waits };
}
const ready = () => Promise.resolve();

describe("readers of the live stream (operator-ux U1, §3.2)", () => {
  it("gives the first batch at once and keeps the gap before the next", async () => {
    const { hub, waits } = openHub();
    const reader = hub.watch(new AbortController().signal, ready, (queue) => queue.resync());
    expect((await reader.next()).value).toMatchObject({ resync: true });
    expect(waits).toEqual([]);
    hub.push((queue) => queue.run({ id: "run-1", revision: 1, fields: row({}) }));
    expect((await reader.next()).value).toMatchObject({ resync: false, runs: [{ id: "run-1" }] });
    expect(waits).toEqual([BATCH_GAP_MS]);
    await reader.return();
  });

  it("takes only what a line can carry: what comes meanwhile is one batch", async () => {
    const { hub } = openHub();
    const drained = Promise.withResolvers<void>();
    const reader = hub.watch(
      new AbortController().signal,
      () => drained.promise,
      (queue) => queue.resync(),
    );
    const first = reader.next();
    for (let revision = 1; revision <= 50; revision++) {
      hub.push((queue) => queue.run({ id: "run-1", revision, fields: {} }));
    }
    drained.resolve();
    expect((await first).value).toMatchObject({ runs: [{ id: "run-1", revision: 50 }] });
    await reader.return();
  });

  it("ends with its signal and is counted no more", async () => {
    const { hub } = openHub();
    const abort = new AbortController();
    const reader = hub.watch(abort.signal, ready, () => undefined);
    const next = reader.next();
    expect(hub.watchers()).toBe(1);
    abort.abort();
    expect((await next).done).toBe(true);
    expect(hub.watchers()).toBe(0);
  });
});
