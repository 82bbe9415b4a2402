import { describe, expect, it } from "vitest";
import { createPoller } from "../../../main/orchestrator/poller/index.ts";
import { createRequestStore } from "../../../main/store/index.ts";
import { json } from "../../support/bad-line.ts";
import { isLonePut, type ProxiedRequest } from "../../support/fault-proxy.ts";
import { SETTLED_FAULTS } from "../../support/lone-faults.ts";
import { realSleep } from "../../support/store-fixture.ts";
import { ask, codes, edit, found, HEARTBEAT_MS, HOST, pollerForTests, runEnd } from "./poller-support.ts";
import { seedRun } from "./seeded-run.ts";

const bench = pollerForTests();
const cycle = () => bench().poller.pollOnce();
const says = (id: string, part: string) => (request: ProxiedRequest) =>
  isLonePut(request) && request.body.includes(part) && JSON.parse(request.body).id === id;
const isClaim = (id: string) => says(id, '"ACCEPTED"');
const isResult = (id: string) => says(id, "result_code");
const isBeat = (request: ProxiedRequest) =>
  isLonePut(request) && request.body.includes("claim_heartbeat_at") && !request.body.includes("ACCEPTED");

async function runningRun(): Promise<string> {
  const { run } = await seedRun(bench().line.other, "RUNNING", { a: {} });
  bench().allowed.push({ networkId: run.networkId, definitionPath: "/none.yaml", appStart: false });
  return run.runId;
}
const claimedColumns = (at = new Date().toISOString()) => ({
  request_state: "ACCEPTED",
  claimed_at: at,
  claimed_host: "elsewhere",
  claim_heartbeat_at: at,
});

describe("a cycle (orchestration §7.1)", () => {
  it("with nothing to do asks once", async () => {
    bench().line.kintone.seen.clear();
    expect(await cycle()).toEqual({
      requested: 0,
      claimed: 0,
      completed: 0,
      cancelled: 0,
      invalid: 0,
      stale: 0,
      skipped: 0,
    });
    expect(bench().line.kintone.seen.list()).toHaveLength(1);
  });

  it("handles each record by itself: valid, invalid, taken back, unknown Run", async () => {
    const stop = await ask(bench(), { runId: await runningRun() });
    const invalid = await ask(bench(), { reason: " " });
    const both = await ask(bench(), { reason: " " });
    await edit(bench(), both, { cancel_requested: ["取消"] });
    const back = await ask(bench());
    await edit(bench(), back, { cancel_requested: ["取消"] });
    const nobody = await ask(bench());
    expect(await cycle()).toMatchObject({
      requested: 5,
      claimed: 2,
      completed: 2,
      cancelled: 2,
      invalid: 2,
      skipped: 0,
    });
    expect(await found(bench(), stop)).toMatchObject({ state: "DONE", resultCode: "STOP_REQUESTED" });
    expect(await found(bench(), nobody)).toMatchObject({ state: "REJECTED", resultCode: "RUN_NOT_FOUND" });
    expect(await found(bench(), back)).toMatchObject({ state: "CANCELLED", claim: null });
    // A cancellation goes before the judgement of the record (orchestration §7.3).
    const parsed = await Promise.all([invalid, both].map((id) => bench().past.read(id)));
    expect(parsed).toMatchObject([
      { identity: { state: "REJECTED" }, issues: [{ code: "REQUIRED", field: "reason" }] },
      { identity: { state: "CANCELLED" } },
    ]);
    expect(codes(bench())).toEqual([]);
  });

  it("skips and counts what cannot be told apart, and goes on", async () => {
    const id = await ask(bench());
    const { line } = bench();
    const answer = await fetchRow(id);
    const broken = { ...answer, $revision: { type: "__REVISION__", value: "soon" } };
    line.proxy.on(({ query }) => query.includes("request_state"), {
      kind: "answer",
      status: 200,
      body: JSON.stringify({ records: [broken, answer], totalCount: null }),
    });
    expect(await cycle()).toMatchObject({ requested: 1, claimed: 1, skipped: 1 });
    expect(codes(bench())).toEqual(["REQUEST_RECORD_UNIDENTIFIABLE"]);
  });

  it("fails as a whole, with nothing written, when the list or the allow list cannot be read", async () => {
    const id = await ask(bench());
    const { line, deps } = bench();
    line.proxy.on(() => true, { kind: "answer", status: 403, body: json("CB_NO02") });
    await expect(cycle()).rejects.toMatchObject({ code: expect.stringMatching(/^STORE_/) });
    const broken = createPoller({
      ...deps,
      allowList: () => Promise.reject(new Error("no list")),
    });
    await expect(broken.pollOnce()).rejects.toThrow("no list");
    expect(await found(bench(), id)).toMatchObject({ state: "REQUESTED", revision: 1 });
  });

  it("takes nothing new once it is told to stop", async () => {
    const id = await ask(bench());
    const stop = new AbortController();
    const { line, deps } = bench();
    line.proxy.on(({ query }) => query.includes("request_state"), {
      kind: "first",
      run: async () => undefined,
    });
    const poller = createPoller({
      ...deps,
      async allowList() {
        stop.abort();
        return [];
      },
    });
    expect(await poller.pollOnce(stop.signal)).toMatchObject({ requested: 0, claimed: 0 });
    expect(await found(bench(), id)).toMatchObject({ state: "REQUESTED" });
  });

  it("sees what waits behind a page full of what nobody ended (W-10)", async () => {
    const stuck = await ask(bench());
    await edit(bench(), stuck, claimedColumns());
    const waiting = await ask(bench());
    const open = await bench().past.listOpen(1);
    expect(open.map((each) => each.valid && each.request.id)).toEqual([stuck, waiting]);
  });
});

async function fetchRow(id: string): Promise<object> {
  const { line } = bench();
  const token = line.kintone.tokens.get(line.kintone.requestApp)?.[0] ?? "";
  const url = `http://localhost:${line.kintone.port}/k/v1/record.json?app=${line.kintone.requestApp}&id=${id}`;
  const response = await fetch(url, { headers: { "X-Cybozu-API-Token": token } });
  const body = (await response.json()) as { readonly record: object };
  return body.record;
}

describe("claim and cancellation (orchestration §7.3)", () => {
  it.each(SETTLED_FAULTS)("taken and ended once when %s", async (_name, fault, count) => {
    const id = await ask(bench());
    bench().line.proxy.on(isClaim(id), fault, count);
    bench().line.proxy.on(isResult(id), fault, count);
    expect(await cycle()).toMatchObject({ claimed: 1, completed: 1 });
    expect(await found(bench(), id)).toMatchObject({ revision: 3, claim: { host: HOST } });
    expect(bench().line.proxy.unmet()).toBe(0);
  });

  it.each([
    ["409", "first"],
    ["400 GAIA_DA02", "answer"],
  ])("lost by %s is left without a word (claim-lost)", async (_name, kind) => {
    const id = await ask(bench());
    const other = async () => edit(bench(), id, claimedColumns());
    const refused = { kind: "answer", status: 400, body: json("GAIA_DA02"), run: other } as const;
    bench().line.proxy.on(isClaim(id), kind === "first" ? { kind: "first", run: other } : refused);
    expect(await cycle()).toMatchObject({ requested: 1, claimed: 0, completed: 0 });
    expect(await found(bench(), id)).toMatchObject({ state: "ACCEPTED", claim: { host: "elsewhere" } });
    expect(codes(bench())).toEqual([]);
  });

  it("that never arrives does not end the cycle (the peer's weakness)", async () => {
    const lost = await ask(bench());
    const next = await ask(bench(), { runId: await runningRun() });
    bench().line.proxy.on(isClaim(lost), { kind: "lose-request" }, 99);
    expect(await cycle()).toMatchObject({ requested: 2, claimed: 1, completed: 1 });
    expect(codes(bench())).toEqual(["CLAIM_UNSETTLED"]);
    expect(await found(bench(), lost)).toMatchObject({ state: "REQUESTED" });
    expect(await found(bench(), next)).toMatchObject({ resultCode: "STOP_REQUESTED" });
  });

  it("refused for want of a right is told", async () => {
    const id = await ask(bench());
    bench().line.proxy.on(isClaim(id), { kind: "answer", status: 403, body: json("CB_NO02") });
    expect(await cycle()).toMatchObject({ claimed: 0 });
    expect(codes(bench())).toEqual(["REQUEST_FAILED"]);
  });

  it("a cancellation that meets another edit comes with the next cycle (cancel-before-claim-conflict)", async () => {
    const id = await ask(bench());
    await edit(bench(), id, { cancel_requested: ["取消"] });
    bench().line.proxy.on(isResult(id), { kind: "first", run: () => edit(bench(), id, { reason: "other" }) });
    expect(await cycle()).toMatchObject({ cancelled: 0 });
    expect(codes(bench())).toEqual(["CANCEL_FINALIZE_CONFLICT"]);
    expect(await cycle()).toMatchObject({ cancelled: 1 });
    expect(await found(bench(), id)).toMatchObject({ resultCode: "CANCELLED_BY_REQUESTER" });
  });

  it("a tick that arrives before the claim wins over it", async () => {
    const id = await ask(bench(), { runId: await runningRun() });
    const tick = () => edit(bench(), id, { cancel_requested: ["取消"] });
    bench().line.proxy.on(isClaim(id), { kind: "first", run: tick });
    expect(await cycle()).toMatchObject({ claimed: 0 });
    expect(await cycle()).toMatchObject({ cancelled: 1 });
  });

  it("a rejection that meets a correction is not repeated (invalid-request-reject-conflict-ignored)", async () => {
    const id = await ask(bench(), { reason: " " });
    bench().line.proxy.on(isResult(id), { kind: "first", run: () => edit(bench(), id, { reason: "why" }) });
    expect(await cycle()).toMatchObject({ invalid: 1 });
    expect(await found(bench(), id)).toMatchObject({ state: "REQUESTED", reason: "why" });
    expect(codes(bench())).toEqual([]);
  });

  it("of two pollers one carries a request out", async () => {
    const id = await ask(bench(), { runId: await runningRun() });
    const { deps, line } = bench();
    const requests = createRequestStore(
      { transport: line.person, sleep: realSleep },
      line.kintone.requestApp,
    );
    const second = createPoller({ ...deps, requests, host: "poller2" });
    const counts = await Promise.all([cycle(), second.pollOnce()]);
    expect(counts.reduce((sum, { completed }) => sum + completed, 0)).toBe(1);
    expect(await found(bench(), id)).toMatchObject({ revision: 3, resultCode: "STOP_REQUESTED" });
  });
});

describe("heartbeat and result (orchestration §7.3)", () => {
  async function rerun(): Promise<string> {
    const { run } = await seedRun(bench().line.other, "FAILED", { a: { status: "FAILED" } });
    bench().allowed.push({ networkId: run.networkId, definitionPath: "/none.yaml", appStart: false });
    return ask(bench(), { type: "RERUN", runId: run.runId });
  }
  /** One sign of life, and until it is on the record. */
  async function beat(id: string, revision: number): Promise<void> {
    await expect.poll(() => bench().ticks.waiting(HEARTBEAT_MS)).toBe(1);
    bench().ticks.pass(HEARTBEAT_MS);
    await expect.poll(async () => (await found(bench(), id)).revision).toBe(revision);
  }

  it("shows life at every interval, also after the requester ticked, and marks the late tick", async () => {
    const id = await rerun();
    bench().runs.run = async () => {
      await beat(id, 3);
      await edit(bench(), id, { cancel_requested: ["取消"] });
      await beat(id, 5);
      await beat(id, 6);
      return runEnd();
    };
    expect(await cycle()).toMatchObject({ completed: 1 });
    expect(await found(bench(), id)).toMatchObject({
      state: "DONE",
      resultCode: "OK",
      resultMessage: "aggregate=SUCCESS; invocation_id=invoke_1 (cancel_ignored)",
      revision: 7,
    });
    expect(codes(bench())).toEqual([]);
    expect(bench().ticks.waiting(HEARTBEAT_MS)).toBe(0);
  });

  it("a beat that fails is told and touches nothing", async () => {
    const id = await rerun();
    bench().line.proxy.on(isBeat, { kind: "answer", status: 403, body: json("CB_NO02") }, 2);
    bench().runs.run = async () => {
      await expect.poll(() => bench().ticks.waiting(HEARTBEAT_MS)).toBe(1);
      bench().ticks.pass(HEARTBEAT_MS);
      await expect.poll(() => codes(bench())).toEqual(["CLAIM_HEARTBEAT_FAILED"]);
      return runEnd();
    };
    await cycle();
    expect(await found(bench(), id)).toMatchObject({ state: "DONE", resultCode: "OK" });
  });

  it("a result meets an edit, is judged again and written once more", async () => {
    const id = await rerun();
    const tick = () => edit(bench(), id, { cancel_requested: ["取消"] });
    bench().line.proxy.on(isResult(id), { kind: "first", run: tick });
    expect(await cycle()).toMatchObject({ completed: 1 });
    expect((await found(bench(), id)).resultMessage).toMatch(/ \(cancel_ignored\)$/);
  });

  it("never lies over the end somebody else wrote, before its first write or its second (W-32)", async () => {
    const stale = { request_state: "REJECTED", result_code: "STALE", result_message: "silent" };
    const first = await rerun();
    bench().runs.run = async () => {
      await edit(bench(), first, stale);
      return runEnd();
    };
    expect(await cycle()).toMatchObject({ completed: 0 });
    bench().runs.run = async () => runEnd();
    const second = await rerun();
    const taken = () => edit(bench(), second, stale);
    bench().line.proxy.on(isResult(second), { kind: "first", run: taken });
    expect(await cycle()).toMatchObject({ completed: 0 });
    for (const id of [first, second]) {
      expect(await found(bench(), id)).toMatchObject({ state: "REJECTED", resultCode: "STALE" });
    }
    expect(codes(bench())).toEqual(["RESULT_STATE_MISMATCH", "RESULT_STATE_MISMATCH"]);
  });

  it("that cannot be written leaves the request accepted for the stale recovery", async () => {
    const id = await rerun();
    bench().line.proxy.on(isResult(id), { kind: "answer", status: 403, body: json("CB_NO02") }, 2);
    expect(await cycle()).toMatchObject({ claimed: 1, completed: 0 });
    expect(await found(bench(), id)).toMatchObject({ state: "ACCEPTED" });
    expect(codes(bench())).toEqual(["RESULT_FINALIZE_ABANDONED"]);
  });

  it("is written although somebody broke the record since the claim", async () => {
    const id = await rerun();
    bench().runs.run = async () => {
      await edit(bench(), id, { reason: " " });
      return runEnd();
    };
    expect(await cycle()).toMatchObject({ completed: 1 });
    const parsed = await bench().past.read(id);
    expect(parsed).toMatchObject({ valid: false, identity: { state: "DONE" } });
  });

  it("what the operation throws is told as such (CHILD_EXECUTION_FAILED)", async () => {
    const id = await rerun();
    bench().runs.run = () => Promise.reject(new Error("lost"));
    await cycle();
    expect(await found(bench(), id)).toMatchObject({
      state: "REJECTED",
      resultCode: "CHILD_EXECUTION_FAILED",
      resultMessage: "REQUEST_FAILED: lost",
    });
  });
});
