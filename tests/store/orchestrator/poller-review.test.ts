import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RequestWish } from "../../../main/store/ports.ts";
import { json } from "../../support/bad-line.ts";
import { isRead } from "../../support/fault-proxy.ts";
import { lockInput, takeLock } from "../../support/lock-inputs.ts";
import { ask, codes, edit, found, pollerForTests, runEnd } from "./poller-support.ts";
import { type SeededRun, seedRun } from "./seeded-run.ts";

const bench = pollerForTests();
const cycle = () => bench().poller.pollOnce();
const FAILED = { status: "FAILED", statusReason: "SQL_ERROR" } as const;
let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "poller-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const allow = (networkId: string, definitionPath = "/none.yaml", appStart = true): void => {
  bench().allowed.push({ networkId, definitionPath, appStart });
};
async function seeded(status: "RUNNING" | "FAILED" | "SUCCESS", allowed = true): Promise<SeededRun> {
  const made = await seedRun(bench().line.other, status, { a: status === "FAILED" ? FAILED : {} });
  if (allowed) allow(made.run.networkId);
  return made;
}
/** Asks, lets one cycle go by, and answers how it ended. */
async function ends(over: Partial<RequestWish>): Promise<readonly [string, string | null]> {
  const id = await ask(bench(), over);
  await cycle();
  const { state, resultCode } = await found(bench(), id);
  return [state, resultCode];
}

describe("STOP, RELEASE and CLOSE by request (orchestration §7.5, §7.6)", () => {
  it("holds a Run once, frees it once, and names who asked", async () => {
    const { runId } = (await seeded("RUNNING")).run;
    const id = await ask(bench(), { runId });
    await cycle();
    expect(await found(bench(), id)).toMatchObject({ state: "DONE", resultCode: "STOP_REQUESTED" });
    expect(await bench().line.other.findHold(runId)).toMatchObject({
      requestedBy: `app-request:${id}:Administrator`,
    });
    expect(await ends({ runId })).toEqual(["REJECTED", "RUN_ALREADY_ON_HOLD"]);
    expect(await ends({ type: "RERUN", runId })).toEqual(["REJECTED", "RUN_ON_HOLD"]);
    expect(await ends({ type: "RELEASE", runId })).toEqual(["DONE", "RELEASED"]);
    expect(await ends({ type: "RELEASE", runId })).toEqual(["REJECTED", "RUN_NOT_ON_HOLD"]);
  });

  it("closes a failed Run once; what has not ended or succeeded is not closed", async () => {
    const { runId } = (await seeded("FAILED")).run;
    expect(await ends({ type: "CLOSE", runId })).toEqual(["DONE", "RUN_ARCHIVED"]);
    expect(await ends({ type: "CLOSE", runId })).toEqual(["DONE", "RUN_ALREADY_ARCHIVED"]);
    expect(await ends({ runId })).toEqual(["REJECTED", "RUN_TERMINAL"]);
    expect(await ends({ type: "RERUN", runId })).toEqual(["REJECTED", "RUN_NOT_RESUMABLE"]);
    const running = (await seeded("RUNNING")).run.runId;
    expect(await ends({ type: "CLOSE", runId: running })).toEqual(["REJECTED", "RUN_NOT_TERMINAL"]);
    const done = (await seeded("SUCCESS")).run.runId;
    expect(await ends({ type: "CLOSE", runId: done })).toEqual(["REJECTED", "RUN_STATUS_NOT_CLOSABLE"]);
  });

  it("knows only Runs of allowed networks and says when it cannot look", async () => {
    const { runId } = (await seeded("RUNNING", false)).run;
    expect(await ends({ runId })).toEqual(["REJECTED", "RUN_NOT_FOUND"]);
    const id = await ask(bench(), { runId: (await seeded("RUNNING")).run.runId });
    const { line } = bench();
    line.proxy.on((request) => isRead(request) && request.query.includes("run_id"), {
      kind: "answer",
      status: 403,
      body: json("CB_NO02"),
    });
    await cycle();
    expect(await found(bench(), id)).toMatchObject({ resultCode: "STATUS_UNAVAILABLE" });
  });
});

describe("RERUN by request (orchestration §7.5, §7.6)", () => {
  it("resumes the Run, from a node where one is named, and tells what came of it", async () => {
    const { run } = await seeded("FAILED");
    bench().runs.run = async () => runEnd({ retryBrakeNodeIds: ["a"], aggregateStatus: "FAILED" });
    const id = await ask(bench(), { type: "RERUN", runId: run.runId, rerunFromNode: "a" });
    await cycle();
    expect(bench().runs.asked).toEqual([
      {
        definitionPath: "/none.yaml",
        resumeRunId: run.runId,
        rerunFrom: "a",
        requestedBy: `app-request:${id}:Administrator`,
        reason: "wait for the file",
      },
    ]);
    expect(await found(bench(), id)).toMatchObject({
      state: "DONE",
      resultCode: "RETRY_BRAKE",
      resultMessage: "aggregate=FAILED; invocation_id=invoke_1; retry_brake_node_ids=a",
    });
  });

  it("refuses what was refused before it began, with its code", async () => {
    const { run } = await seeded("FAILED");
    bench().runs.run = async () =>
      runEnd({ outcome: "REJECTED", invocationId: null, invocationResultCode: "LOCK_CONFLICT" });
    expect(await ends({ type: "RERUN", runId: run.runId })).toEqual(["REJECTED", "LOCK_CONFLICT"]);
    const done = (await seeded("SUCCESS")).run.runId;
    expect(await ends({ type: "RERUN", runId: done })).toEqual(["REJECTED", "RUN_STATUS_NOT_RERUNNABLE"]);
  });
});

describe("START by request (orchestration §7.5)", () => {
  const definition = (networkId: string, idempotent: boolean, policy: string): string =>
    [
      "schema_version: 1",
      `network_id: ${networkId}`,
      `business_key_policy: ${policy}`,
      "network_lock: { lease_duration_sec: 90, heartbeat_interval_sec: 30 }",
      "nodes:",
      "  - id: a",
      "    job_id: job_a",
      "    sql: a.sql",
      "    depends_on: []",
      "    trigger_rule: all_success",
      `    idempotent: ${idempotent}`,
      "",
    ].join("\n");
  const EXPLICIT = "{ type: explicit }";
  const SCHEDULED =
    '{ type: scheduled_period, period: month, timezone: Asia/Tokyo, format: "{network_id}@{yyyy}-{MM}" }';
  async function network(name: string, policy = EXPLICIT, idempotent = true): Promise<string> {
    const file = path.join(folder, `${name}.yaml`);
    await writeFile(file, definition(name, idempotent, policy));
    await writeFile(path.join(folder, "a.sql"), "SELECT 1;\n");
    allow(name, file);
    return name;
  }
  const start = (over: Partial<RequestWish>) => ends({ type: "START", runId: null, ...over });

  it("starts an allowed network with its key, once its definition was read", async () => {
    const networkId = await network("net_ok");
    bench().runs.run = async () => runEnd({ outcome: "NEW", runId: "netrun_9" });
    expect(await start({ networkId, businessKey: "k1" })).toEqual(["DONE", "OK"]);
    expect(bench().runs.asked).toMatchObject([
      { definitionPath: path.join(folder, "net_ok.yaml"), businessKey: "k1" },
    ]);
    expect(bench().runs.asked[0]).not.toHaveProperty("resumeRunId");
  });

  it.each<[string, Partial<RequestWish>, string]>([
    ["a Run id", { runId: "netrun_1", networkId: "net_ok2", businessKey: "k" }, "RUN_ID_NOT_ALLOWED"],
    ["a network not in the list", { networkId: "net_other", businessKey: "k" }, "NETWORK_NOT_ALLOWED"],
    ["one that may not be started", { networkId: "net_no_start", businessKey: "k" }, "NETWORK_NOT_ALLOWED"],
    ["no definition", { networkId: "net_gone", businessKey: "k" }, "NETWORK_DEFINITION_INVALID"],
    ["another network's", { networkId: "net_alias", businessKey: "k" }, "NETWORK_DEFINITION_INVALID"],
    ["a node that must not repeat", { networkId: "net_once", businessKey: "k" }, "NETWORK_NOT_IDEMPOTENT"],
    ["no key", { networkId: "net_ok2" }, "KEY_POLICY_MISMATCH"],
    [
      "a period for a key",
      { networkId: "net_ok2", scheduledFor: "2026-09-01T00:00:00Z" },
      "KEY_POLICY_MISMATCH",
    ],
    ["a key without period", { networkId: "net_month", businessKey: "k" }, "AS_OF_UNDEFINED"],
  ])("is refused with %s", async (_name, over, code) => {
    await network("net_ok2");
    await network("net_month", SCHEDULED);
    await network("net_once", EXPLICIT, false);
    allow("net_gone", path.join(folder, "gone.yaml"));
    allow("net_alias", path.join(folder, "net_ok2.yaml"));
    allow("net_no_start", path.join(folder, "net_ok2.yaml"), false);
    expect(await start(over)).toEqual(["REJECTED", code]);
    expect(bench().runs.asked).toEqual([]);
  });

  it("a START that fell silent is stale only when its Run is there and nobody runs it (§7.4)", async () => {
    const { run } = await seedRun(bench().line.other, "FAILED", { a: FAILED });
    const { networkId, businessKey } = run;
    await network(networkId);
    const silent = async (key: string): Promise<string> => {
      const id = await ask(bench(), { type: "START", runId: null, networkId, businessKey: key });
      await edit(bench(), id, taken(20));
      return id;
    };
    const none = await silent("k7");
    const made = await silent(businessKey);
    expect(await cycle()).toMatchObject({ stale: 1 });
    expect(await found(bench(), none)).toMatchObject({ state: "ACCEPTED" });
    expect(await found(bench(), made)).toMatchObject({ state: "REJECTED", resultCode: "STALE" });
    expect(bench().runs.asked).toEqual([]);
  });
});

/** Columns of a claim whose last sign of life is so many minutes old. */
function taken(minutes: number) {
  const at = new Date(Date.now() - minutes * 60_000).toISOString();
  return {
    request_state: "ACCEPTED",
    claimed_at: at,
    claimed_host: "elsewhere",
    claim_heartbeat_at: at,
  };
}

describe("stale recovery (orchestration §7.4)", () => {
  async function silent(minutes: number, runId: string): Promise<string> {
    const id = await ask(bench(), { type: "RERUN", runId });
    await edit(bench(), id, taken(minutes));
    return id;
  }

  it("rejects a claim silent for longer than threshold and allowance, and executes nothing", async () => {
    const young = await silent(15, (await seeded("FAILED")).run.runId);
    const old = await silent(18, (await seeded("FAILED")).run.runId);
    expect(await cycle()).toMatchObject({ requested: 0, stale: 1, claimed: 0 });
    expect(await found(bench(), old)).toMatchObject({ state: "REJECTED", resultCode: "STALE" });
    expect(await found(bench(), young)).toMatchObject({ state: "ACCEPTED" });
    expect(bench().runs.asked).toEqual([]);
    bench().time.ahead = 5 * 60_000;
    expect(await cycle()).toMatchObject({ stale: 1 });
  });

  it("leaves one whose Run is live or not to be found, and says when it cannot look", async () => {
    const { run } = await seeded("RUNNING");
    const { other, proxy } = bench().line;
    const [invocation] = await other.listInvocations(run.runId);
    const lock = { networkId: run.networkId, ownerInvocationId: invocation?.invocationId ?? "" };
    const session = await takeLock(other, lockInput(lock));
    const live = await silent(20, run.runId);
    const lost = await silent(20, "netrun_nowhere");
    expect(await cycle()).toMatchObject({ stale: 0 });
    expect(codes(bench())).toEqual([]);
    await session.dispose();
    proxy.on((request) => isRead(request) && request.query.includes(run.runId), {
      kind: "answer",
      status: 403,
      body: json("CB_NO02"),
    });
    expect(await cycle()).toMatchObject({ stale: 0 });
    expect(codes(bench())).toEqual(["STALE_STATUS_UNAVAILABLE"]);
    for (const id of [live, lost]) expect(await found(bench(), id)).toMatchObject({ state: "ACCEPTED" });
  });

  it("a malformed claim keeps nothing else waiting, and is left as it is (W-10)", async () => {
    const broken = await ask(bench());
    await edit(bench(), broken, { request_state: "ACCEPTED", claimed_host: "elsewhere" });
    const stuck = await silent(20, (await seeded("FAILED")).run.runId);
    const { runId } = (await seeded("RUNNING")).run;
    const next = await ask(bench(), { runId });
    expect(await cycle()).toMatchObject({ requested: 1, completed: 1, stale: 1 });
    expect(await found(bench(), next)).toMatchObject({ resultCode: "STOP_REQUESTED" });
    expect(await found(bench(), stuck)).toMatchObject({ resultCode: "STALE" });
    expect(await bench().past.read(broken)).toMatchObject({
      valid: false,
      identity: { state: "ACCEPTED", revision: 2 },
    });
  });
});
