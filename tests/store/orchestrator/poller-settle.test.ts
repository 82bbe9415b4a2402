import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { planSettleRequest, settleRequest } from "../../../main/orchestrator/poller/index.ts";
import { lockInput, takeLock } from "../../support/lock-inputs.ts";
import { ask, edit, found, pollerForTests } from "./poller-support.ts";
import { seedRun } from "./seeded-run.ts";

const bench = pollerForTests();
const cycle = () => bench().poller.pollOnce();
/** Beyond every silence a claim is allowed, milliseconds. */
const LONG_MS = 3_600_000;
const WISH = {
  reason: "the host burnt down",
  evidenceRef: "INC-1",
  stopConfirmedBy: "ops2",
  requestedBy: "ops1",
};

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "settle-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const asked = (requestId: string, over: Partial<typeof WISH> = {}) => ({
  requestId,
  wish: { ...WISH, ...over },
  staleAfterMs: bench().deps.staleAfterMs,
});
const settle = (requestId: string, over: Partial<typeof WISH> = {}) =>
  settleRequest(bench().deps, { ...asked(requestId, over), seen: null });

/** A request that somebody took up an hour ago and nobody ended. */
async function silent(over: Parameters<typeof ask>[1]): Promise<string> {
  const id = await ask(bench(), over);
  const at = new Date(Date.now() - LONG_MS).toISOString();
  await edit(bench(), id, {
    request_state: "ACCEPTED",
    claimed_at: at,
    claimed_host: "gone",
    claim_heartbeat_at: at,
  });
  return id;
}
const start = { type: "START", runId: null, networkId: "never_made", businessKey: "k" } as const;

describe("a claim that no poller ends (orchestration §7.4, W-10)", () => {
  it("a START that died before its Run stays ACCEPTED for every cycle; a person's word ends it as STALE", async () => {
    const id = await silent(start);
    for (const _ of [1, 2]) await cycle();
    expect(await found(bench(), id)).toMatchObject({ state: "ACCEPTED", resultCode: null });

    const plan = await planSettleRequest(bench().deps, asked(id));
    expect(plan).toMatchObject({
      ok: true,
      value: { operation: "REQUEST_SETTLE", available: true, danger: "L3", subject: { requestId: id } },
    });
    expect(await settle(id)).toMatchObject({ ok: true, value: { state: "REJECTED", resultCode: "STALE" } });
    const ended = await found(bench(), id);
    expect(ended).toMatchObject({ state: "REJECTED", resultCode: "STALE", claim: { host: "gone" } });
    for (const word of [
      "nothing was executed",
      "settled_by=ops1",
      "stop_confirmed_by=ops2",
      "INC-1",
      "burnt",
    ])
      expect(ended.resultMessage).toContain(word);
    expect(await settle(id)).toMatchObject({ ok: false, error: { code: "REQUEST_ENDED" } });
    expect(bench().runs.asked).toEqual([]);
  });

  it("one that somebody broke is told apart, ended by its id and revision, and its other columns stay", async () => {
    const id = await silent({ type: "STOP", runId: "netrun_none" });
    await edit(bench(), id, { run_id: "" });
    await cycle();
    expect(await bench().past.read(id)).toMatchObject({ valid: false, identity: { state: "ACCEPTED" } });
    expect(await settle(id)).toMatchObject({ ok: true });
    const ended = await bench().past.read(id);
    expect(ended).toMatchObject({ valid: false, identity: { state: "REJECTED" } });
    await edit(bench(), id, { run_id: "netrun_none" });
    expect((await found(bench(), id)).resultMessage).toContain("The request is malformed");
  });

  it("says what is in the Run, once there is one, and derives a scheduled START's key", async () => {
    const { run } = await seedRun(bench().line.other, "FAILED", {
      a: { status: "FAILED", statusReason: "X" },
    });
    const id = await silent({ type: "RERUN", runId: run.runId });
    expect(await settle(id)).toMatchObject({ ok: true });
    expect((await found(bench(), id)).resultMessage).toContain("stands in the Run");

    const file = path.join(folder, "network.yaml");
    const policy =
      "business_key_policy: { type: scheduled_period, period: month, timezone: Asia/Tokyo, format: '{network_id}@{yyyy}-{MM}' }";
    const lock = "network_lock: { lease_duration_sec: 60, heartbeat_interval_sec: 20 }";
    const nodes =
      "nodes: [{ id: a, job_id: a, sql: a.sql, depends_on: [], trigger_rule: all_success, idempotent: true }]";
    await writeFile(file, ["schema_version: 1", "network_id: monthly", policy, lock, nodes].join("\n"));
    const scheduled = {
      ...start,
      networkId: "monthly",
      businessKey: null,
      scheduledFor: "2026-09-01T00:00:00Z",
    };
    const unknown = await silent(scheduled);
    expect(await settle(unknown)).toMatchObject({ ok: true });
    expect((await found(bench(), unknown)).resultMessage).toContain("cannot be told here");
    bench().allowed.push({ networkId: "monthly", definitionPath: file, appStart: true });
    const derived = await silent(scheduled);
    expect(await settle(derived)).toMatchObject({ ok: true });
    expect((await found(bench(), derived)).resultMessage).toContain("nothing was executed");
  });
});

describe("a second write that does not look again (orchestration W-32)", () => {
  it("W-32: asked by revision alone, a late result lies over STALE; the poller's own asks for the state first", async () => {
    const id = await silent(start);
    expect(await settle(id)).toMatchObject({ ok: true });
    const { revision } = await found(bench(), id);
    const late = { state: "DONE", resultCode: "OK", resultMessage: "late" } as const;
    expect(await bench().past.end({ recordId: id, revision }, late)).toMatchObject({ kind: "applied" });
    expect(await found(bench(), id)).toMatchObject({ state: "DONE", resultCode: "OK" });
  });
});

describe("what may still be at work is left alone (orchestration §7.4)", () => {
  it.each<[string, string, (id: string) => Promise<unknown>]>([
    [
      "a claim with a sign of life",
      "REQUEST_CLAIM_ALIVE",
      (id) => edit(bench(), id, { claim_heartbeat_at: new Date().toISOString() }),
    ],
    [
      "one that waits",
      "REQUEST_NOT_CLAIMED",
      (id) =>
        edit(bench(), id, {
          request_state: "REQUESTED",
          claimed_at: "",
          claimed_host: "",
          claim_heartbeat_at: "",
        }),
    ],
    [
      "a network whose lock is held",
      "LOCK_CONFLICT",
      async () => {
        const input = lockInput({ profile: "prod", networkId: "never_made" });
        const session = await takeLock(bench().line.other, input);
        return session.dispose();
      },
    ],
  ])("%s: %s", async (_what, code, change) => {
    const id = await silent(start);
    await change(id);
    expect(await settle(id)).toMatchObject({ ok: false, error: { code } });
    expect((await found(bench(), id)).resultCode).toBeNull();
  });

  it("nothing is written without a reason, for a request that is not there, or on another record than was seen", async () => {
    const id = await silent({ ...start, networkId: "another" });
    expect(await settle(id, { reason: " " })).toMatchObject({ error: { code: "SETTLE_INPUT_REQUIRED" } });
    expect(await settle("999999")).toMatchObject({ error: { code: "REQUEST_NOT_FOUND" } });
    const plan = await planSettleRequest(bench().deps, asked(id));
    const seen = plan.ok ? plan.value.seen : {};
    await edit(bench(), id, { reason: "changed since" });
    const moved = await settleRequest(bench().deps, { ...asked(id), seen });
    expect(moved).toMatchObject({ ok: false, error: { code: "PLAN_STALE" } });
  });
});
