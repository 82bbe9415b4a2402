import { describe, expect, it } from "vitest";
import { gateProblem } from "../../../../main/console/api/gate.ts";
import { createLiveModel } from "../../../../main/console/live-model.ts";
import { BATCH_GAP_MS } from "../../../../main/console/live-model-hub.ts";
import type { LiveModelDeps } from "../../../../main/console/live-model-ports.ts";
import type { KeptPicture } from "../../../../main/console/picture-file.ts";
import type { LiveBatch, RunRow } from "../../../../shared/api/index.ts";
import { FlowError } from "../../../../shared/domain/problem.ts";
import { row } from "../../../support/run-rows.ts";

const VIEWER = "11111111-1111-4111-8111-111111111111";
const ready = () => Promise.resolve();

/** A wait that is over when the test says so; an abort ends it early. The gap between two batches takes no time. */
function openWaits() {
  const open: { readonly ms: number; readonly end: () => void }[] = [];
  return {
    open,
    async wait(ms: number, signal: AbortSignal): Promise<void> {
      if (ms <= BATCH_GAP_MS) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      const entry = { ms, end: resolve };
      open.push(entry);
      signal.addEventListener("abort", () => resolve(), { once: true });
      if (signal.aborted) resolve();
      await promise;
      open.splice(open.indexOf(entry), 1);
    },
  };
}

function openModel(change: Partial<LiveModelDeps> = {}, kept: KeptPicture | null = null) {
  const clock = {
    ms: Date.parse("2026-09-05T03:00:00Z"),
    /** Time the monotonic clock stood still: the machine slept. */
    slept: 0,
    setBack(ms: number) {
      clock.ms -= ms;
      clock.slept -= ms;
    },
    nowMs: () => clock.ms,
    monotonicMs: () => clock.ms - clock.slept,
  };
  const waits = openWaits();
  const reads: string[] = [];
  const store: { rows: readonly RunRow[]; down: boolean } = { rows: [], down: false };
  const saved: KeptPicture[] = [];
  const answer = async (what: string): Promise<readonly RunRow[]> => {
    reads.push(what);
    if (store.down) throw new FlowError({ code: "STORE_UNREACHABLE", message: "no answer" });
    return store.rows;
  };
  const model = createLiveModel({
    reader: {
      readAll: () => answer("all"),
      readChanges: () => answer("changes"),
      readOne: async (runId) => (await answer(`one ${runId}`)).find((each) => each.runId === runId) ?? null,
    },
    embedded: false,
    clock,
    random: () => 0.5,
    wait: waits.wait,
    probes: new Map(),
    budget: () => [{ source: "state", used: 10, limit: 10_000, day: "2026-09-05" }],
    serverClock: () => null,
    kept: {
      load: async () => kept,
      save: async (picture) => {
        saved.push(picture);
      },
    },
    ...change,
  });
  return { model, clock, waits, reads, store, saved };
}

/** Takes batches until one shows the fact; the model pushes, nothing is waited for by time. */
async function until(
  batches: AsyncGenerator<LiveBatch, void, void>,
  fact: (batch: LiveBatch) => boolean,
): Promise<LiveBatch> {
  for (;;) {
    const { value } = await batches.next();
    if (value === undefined) throw new Error("the batches ended");
    if (fact(value)) return value;
  }
}

describe("a start on which kintone does not answer (electron-desktop N8)", () => {
  const kept = { readAt: "2026-09-04T12:00:00.000Z", rows: [row({ status: "FAILED" })] };

  it("shows the kept picture, dated, as kept and with the problem of the reading", async () => {
    const waits = openWaits();
    const { model, reads } = openModel(
      {
        wait: waits.wait,
        reader: {
          readAll: async () => {
            throw new FlowError({ code: "STORE_UNREACHABLE", message: "no answer" });
          },
          readChanges: async () => [],
          readOne: async () => null,
        },
      },
      kept,
    );
    const batches = model.watch(new AbortController().signal, ready);
    await until(batches, (batch) => batch.freshness.some((each) => each.problem !== null && each.readAt));
    expect(await model.rows()).toEqual({ rows: kept.rows, readAt: kept.readAt });
    expect(model.freshnessOf("state")).toMatchObject({
      readAt: kept.readAt,
      origin: "kept",
      problem: { code: "STORE_UNREACHABLE" },
    });
    expect(reads).toEqual([]);
    await batches.return();
    await model.dispose();
  });

  it("gives way to what is read, and keeps that", async () => {
    const { model, store, saved } = openModel({}, kept);
    store.rows = [row({ status: "SUCCESS", revision: 2 })];
    await model.refresh();
    expect(model.freshnessOf("state")).toMatchObject({ origin: "read", problem: null });
    expect(model.row("run-1")?.status).toBe("SUCCESS");
    await model.dispose();
    expect(saved.at(-1)).toEqual({ readAt: "2026-09-05T03:00:00.000Z", rows: store.rows });
  });

  it("gives way as well to an older state: the database was put back from its backup", async () => {
    const later = { ...kept, rows: [row({ status: "SUCCESS", revision: 9 }), row({ runId: "run-2" })] };
    const { model, store, saved } = openModel({}, later);
    store.rows = [row({ status: "UNKNOWN", revision: 3 })];
    await model.refresh();
    expect(model.known()).toEqual(store.rows);
    await model.dispose();
    expect(saved.at(-1)?.rows).toEqual(store.rows);
  });
});

describe("how old the picture is (operator-ux §1.1)", () => {
  it("does not make it younger that the host's clock was set back while kintone does not answer", async () => {
    const { model, clock, store } = openModel();
    await model.refresh();
    store.down = true;
    clock.setBack(3_600_000);
    expect(model.freshnessOf("state")?.readAt).toBe("2026-09-05T02:00:00.000Z");
    clock.ms += 30 * 60_000;
    await expect(model.refresh()).rejects.toThrow("no answer");
    const state = model.freshnessOf("state");
    expect(state).toMatchObject({
      readAt: "2026-09-05T02:00:00.000Z",
      problem: { code: "STORE_UNREACHABLE" },
    });
    expect(gateProblem({ mode: "operate", state, clock: "fine" }, clock.nowMs())?.code).toBe("PICTURE_STALE");
    await model.dispose();
  });

  it("stands by its time while the clock goes on, forward or asleep", async () => {
    const { model, clock } = openModel();
    await model.refresh();
    clock.ms += 3_600_000;
    clock.slept += 3_000_000;
    expect(model.freshnessOf("state")?.readAt).toBe("2026-09-05T03:00:00.000Z");
    await model.dispose();
  });
});

describe("what is read, and how often (operator-ux U2, U7–U9)", () => {
  it("reads everything once, then only what changed", async () => {
    const { model, reads, waits, clock } = openModel();
    await model.rows();
    const batches = model.watch(new AbortController().signal, ready);
    await until(batches, (batch) => batch.resync);
    clock.ms += 60_000;
    for (const { end } of [...waits.open]) end();
    await until(batches, (batch) => batch.freshness.some((each) => each.readAt?.includes("03:01:00")));
    expect(reads).toEqual(["all", "changes"]);
    await batches.return();
    await model.dispose();
  });

  it("reads everything again after an answer older than what is known: only all of it can tell history from a backup", async () => {
    const { model, store, reads } = openModel();
    store.rows = [row({ revision: 9, status: "SUCCESS" })];
    await model.rows();
    store.rows = [row({ revision: 3, status: "UNKNOWN" })];
    const batches = model.watch(new AbortController().signal, ready);
    await until(batches, (batch) => batch.resync);
    model.touch("run-1");
    await until(batches, (batch) => batch.resync);
    expect(reads).toEqual(["all", "one run-1", "all"]);
    expect(model.row("run-1")).toMatchObject({ revision: 3, status: "UNKNOWN" });
    await batches.return();
    await model.dispose();
  });

  it("reads everything again after a gap", async () => {
    const { model, reads, waits, clock } = openModel();
    await model.rows();
    clock.ms += 24 * 3_600_000;
    const batches = model.watch(new AbortController().signal, ready);
    await until(batches, (batch) => batch.freshness.some((each) => each.readAt?.includes("09-06")));
    expect(reads).toEqual(["all", "all"]);
    expect(waits.open.length).toBeGreaterThan(0);
    await batches.return();
    await model.dispose();
  });

  it("notices by the wall clock that the machine slept, without being told (U7)", async () => {
    const { model, reads, waits, clock } = openModel();
    await model.rows();
    const batches = model.watch(new AbortController().signal, ready);
    await until(batches, (batch) => batch.resync);
    clock.ms += 8 * 3_600_000;
    clock.slept = 8 * 3_600_000;
    const [pause] = waits.open;
    expect(pause?.ms).toBe(30_000);
    pause?.end();
    await until(batches, () => reads.length === 2);
    expect(reads).toEqual(["all", "all"]);
    await batches.return();
    await model.dispose();
  });

  it("plans by what the windows show: a live Run, a list, nothing", async () => {
    const { model, store } = openModel();
    store.rows = [row({ activity: "LIVE" })];
    await model.rows();
    const interval = () => model.freshnessOf("state")?.intervalMs;
    expect(interval()).toBe(300_000);
    const batches = model.watch(new AbortController().signal, ready, VIEWER);
    await until(batches, (batch) => batch.resync);
    const look = { viewerId: VIEWER, visible: true, sources: ["state" as const], runId: "run-1" };
    model.look(look);
    expect(interval()).toBe(15_000);
    model.look({ ...look, runId: null });
    expect(interval()).toBe(60_000);
    model.look({ ...look, visible: false });
    expect(interval()).toBe(300_000);
    model.look(look);
    await batches.return();
    expect(interval()).toBe(300_000);
    await model.dispose();
  });

  it("asks an app beside the state app often only while a page shows what it tells (U8)", async () => {
    const asked: string[] = [];
    const { model } = openModel({ probes: new Map([["audit", async () => void asked.push("audit")]]) });
    await model.rows();
    expect(asked).toEqual(["audit"]);
    const batches = model.watch(new AbortController().signal, ready, VIEWER);
    await until(batches, (batch) => batch.resync);
    const look = { viewerId: VIEWER, visible: true, runId: null };
    model.look({ ...look, sources: ["state", "audit"] });
    expect(model.freshnessOf("audit")?.intervalMs).toBe(60_000);
    model.look({ ...look, sources: ["state"] });
    expect(model.freshnessOf("audit")?.intervalMs).toBe(300_000);
    expect(model.freshnessOf("request")).toBeNull();
    await batches.return();
    await model.dispose();
  });

  it("reads one Run again after something was done to it (U9)", async () => {
    const { model, store, reads } = openModel();
    await model.rows();
    store.rows = [row({ status: "SUCCESS" })];
    const batches = model.watch(new AbortController().signal, ready);
    model.touch("run-1");
    await until(batches, (batch) => batch.runs.some((diff) => diff.fields.status === "SUCCESS"));
    expect(reads).toEqual(["all", "one run-1"]);
    await batches.return();
    await model.dispose();
  });

  it("comes back within five seconds after the machine slept, and reads everything (U7)", async () => {
    const { model, reads, waits } = openModel();
    await model.rows();
    model.resumed();
    const spread = waits.open.find(({ ms }) => ms === 2_500);
    const batches = model.watch(new AbortController().signal, ready);
    await until(batches, (batch) => batch.resync);
    spread?.end();
    await until(batches, () => reads.length === 2);
    expect(reads).toEqual(["all", "all"]);
    await batches.return();
    await model.dispose();
  });

  it("tells every window, and each once, that something waits for an approver (operator-ux §2.4)", async () => {
    const { model } = openModel();
    const windows = [1, 2].map(() => model.watch(new AbortController().signal, ready));
    for (const batches of windows) await until(batches, ({ resync }) => resync);
    model.approvals();
    model.approvals();
    for (const batches of windows)
      expect((await until(batches, ({ approvals }) => approvals)).resync).toBe(false);
    model.mode("view");
    for (const batches of windows) {
      expect((await until(batches, ({ mode }) => mode !== null)).approvals).toBe(false);
      await batches.return();
    }
    await model.dispose();
  });

  it("tells every window of the budget and of a mode another one chose", async () => {
    const { model } = openModel();
    const batches = model.watch(new AbortController().signal, ready);
    expect((await until(batches, (batch) => batch.budget.length > 0)).budget[0]?.used).toBe(10);
    model.mode("view");
    expect((await until(batches, (batch) => batch.mode !== null)).mode).toBe("view");
    await batches.return();
    await model.dispose();
  });
});
