import { rmSync } from "node:fs";
import { join } from "node:path";
import { KintoneRestAPIError } from "@kintone/rest-api-client";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createLocalKintone, ruleSetSchema } from "../../../main/local-kintone/index.ts";
import { type FaultRig, startFaultRig } from "./fault-support.ts";
import { keyed, startRig, systemClock, systemIds } from "./support.ts";

let rig: FaultRig;
beforeAll(async () => {
  rig = await startFaultRig();
});
afterEach(() => rig.control.clear());
afterAll(() => rig.close());

const PUT = { methods: ["PUT" as const] };

async function eventsOf(rule: string): Promise<readonly string[]> {
  const entries = await rig.control.journal();
  return entries.flatMap((entry) => ("rule" in entry && entry.rule === rule ? [entry.kind] : []));
}

describe("barriers (kintone-rest §19)", () => {
  it("F1 holds a request before it touches the store until it is released, and logs one arrival", async () => {
    const id = rig.insert("f1");
    await rig.control.add({
      id: "claim",
      match: { ...PUT, path: "/record\\.json$", app: rig.app, hasFields: ["status"] },
      effect: { kind: "barrier", phase: "before" },
    });
    const answer = rig.putStatus(id);
    expect(await rig.control.waitFor("claim")).toMatchObject([{ rule: "claim", method: "PUT" }]);
    expect(await rig.stored(id)).toEqual({ revision: "1", status: null });
    await rig.control.release("claim");
    expect((await answer).json).toEqual({ revision: "2" });
    expect(await eventsOf("claim")).toEqual(["barrier_reached", "barrier_released"]);
    expect(await rig.lastRequest()).toMatchObject({
      rules: ["claim"],
      status: 200,
      parts: [{ app: rig.app, records: [id], fields: ["status"], revisionBefore: 1, revisionAfter: 2 }],
    });
  });

  it("F1 is one shot: the next request passes", async () => {
    const id = rig.insert("f1-once");
    await rig.control.add({ id: "once", match: PUT, effect: { kind: "barrier", phase: "before" } });
    const held = rig.putStatus(id);
    await rig.control.waitFor("once");
    expect((await rig.putStatus(id)).status).toBe(200);
    await rig.control.release("once");
    expect((await held).json).toEqual({ revision: "3" });
    expect(await eventsOf("once")).toEqual(["barrier_reached", "barrier_released"]);
    await expect(rig.control.release("once")).rejects.toMatchObject({ code: "BARRIER_NOT_REACHED" });
  });

  it("F2 holds the answer of a committed write, and is not spent on a refused one", async () => {
    const id = rig.insert("f2");
    await rig.control.add({ id: "owned", match: PUT, effect: { kind: "barrier", phase: "after-success" } });
    expect((await rig.putStatus(id, 7)).status).toBe(409);
    const held = rig.putStatus(id, 1);
    await rig.control.waitFor("owned");
    expect(await rig.stored(id)).toEqual({ revision: "2", status: "RUNNING" });
    await rig.control.release("owned");
    expect((await held).json).toEqual({ revision: "2" });
    expect(await eventsOf("owned")).toEqual(["barrier_reached", "barrier_released"]);
  });

  it("F3 lets two writers pass the revision check, of which one then loses", async () => {
    const id = rig.insert("f3");
    await rig.control.add({ id: "checked", match: PUT, effect: { kind: "barrier", phase: "between" } });
    const slow = rig.client.record.updateRecord({
      app: rig.app,
      id,
      revision: 1,
      record: { status: { value: "SUCCESS" } },
    });
    const lost = slow.then(
      () => null,
      (error: unknown) => error,
    );
    await rig.control.waitFor("checked");
    expect((await rig.putStatus(id, 1)).json).toEqual({ revision: "2" });
    await rig.control.release("checked");
    const error = await lost;
    expect(error).toBeInstanceOf(KintoneRestAPIError);
    expect(error).toMatchObject({ status: 409, code: "GAIA_CO02" });
    expect(await rig.stored(id)).toEqual({ revision: "2", status: "RUNNING" });
    expect(await rig.lastRequest()).toMatchObject({ code: "GAIA_CO02", rules: ["checked"] });
  });

  it("F3 does the same with one unique key, and leaves no trace of the trial", async () => {
    await rig.control.add({
      id: "unique",
      match: { methods: ["POST"] },
      effect: { kind: "barrier", phase: "between" },
    });
    const slow = rig.send("POST", "/k/v1/record.json", { app: rig.app, record: keyed("f3-unique") });
    await rig.control.waitFor("unique");
    const other = await rig.send("POST", "/k/v1/record.json", { app: rig.app, record: keyed("f3-unique") });
    await rig.control.release("unique");
    expect(other.status).toBe(200);
    expect(await slow).toMatchObject({
      status: 400,
      json: { code: "CB_VA01", errors: { "record.record_key.value": {} } },
    });
    const query = 'record_key = "f3-unique"';
    expect((await rig.client.record.getRecords({ app: rig.app, query })).records).toHaveLength(1);
  });

  it("stops the bulk that carries the write, in any of its entries", async () => {
    const id = rig.insert("bulk");
    await rig.control.add({
      id: "beat",
      match: { methods: ["PUT"], app: rig.app, record: id },
      effect: { kind: "barrier", phase: "after-success" },
    });
    const api = "/k/v1/record.json";
    const requests = [
      { method: "POST", api, payload: { app: rig.app, record: keyed("bulk-new") } },
      { method: "PUT", api, payload: { app: rig.app, id, record: { status: { value: "RUNNING" } } } },
    ];
    const bulk = rig.send("POST", "/k/v1/bulkRequest.json", { requests });
    await rig.control.waitFor("beat");
    await rig.control.release("beat");
    expect((await bulk).status).toBe(200);
    expect((await rig.lastRequest("POST")).parts).toMatchObject([
      { method: "POST", fields: ["record_key", "record_type"] },
      { method: "PUT", records: [id], revisionBefore: 1, revisionAfter: 2 },
    ]);
  });

  it.each([
    ["before", "1"],
    ["between", "1"],
    ["after-success", "2"],
  ] as const)("ends a request nobody released at %s with an error of its own", async (phase, revision) => {
    const rule = `late-${phase}`;
    const id = rig.insert(rule);
    await rig.control.add({ id: rule, match: PUT, effect: { kind: "barrier", phase, limitMs: 5000 } });
    const answer = rig.putStatus(id);
    await rig.control.waitFor(rule);
    await rig.pausing(5000);
    rig.passTime();
    expect(await answer).toMatchObject({ status: 504, json: { code: "LOCAL_BARRIER_TIMED_OUT" } });
    expect((await rig.stored(id)).revision).toBe(revision);
    expect(await eventsOf(rule)).toEqual(["barrier_reached", "barrier_timed_out"]);
  });

  it("lets go of a request when its barrier is cleared, and of whoever waits for one", async () => {
    const id = rig.insert("cleared");
    const rules = ["held", "never"].map((rule) => ({
      id: rule,
      match: rule === "held" ? PUT : { client: "nobody" },
      effect: { kind: "barrier", phase: "before" } as const,
    }));
    await rig.control.add(rules);
    const answer = rig.putStatus(id);
    const waiting = expect(rig.control.waitFor("never")).rejects.toMatchObject({ code: "BARRIER_CLEARED" });
    await rig.control.waitFor("held");
    await expect(rig.control.waitFor("never", { timeoutMs: 1 })).rejects.toMatchObject({
      code: "BARRIER_NOT_REACHED",
    });
    expect(await rig.control.clear()).toEqual(["held", "never"]);
    expect((await answer).status).toBe(200);
    await waiting;
    expect(await eventsOf("held")).toEqual(["barrier_reached", "barrier_cleared"]);
  });

  it("knows the record that an update key names", async () => {
    const id = rig.insert("by-key");
    await rig.putStatus(id);
    const match = { ...PUT, updateKey: "by-key" };
    await rig.control.add({ id: "key", match, effect: { kind: "barrier", phase: "between" } });
    const answer = rig.send("PUT", "/k/v1/record.json", {
      app: rig.app,
      updateKey: { field: "record_key", value: "by-key" },
      record: { status: { value: "SUCCESS" } },
    });
    await rig.control.waitFor("key");
    await rig.control.release("key");
    expect((await answer).json).toEqual({ revision: "3" });
    expect(await rig.lastRequest()).toMatchObject({ parts: [{ revisionBefore: 2, revisionAfter: 3 }] });
  });

  it("gives up a held request when the server ends, and does not carry it out", async () => {
    const ended = await startRig({ faults: { clock: systemClock } });
    const { server, folder, app, token } = ended;
    const rules = [{ id: "held", effect: { kind: "barrier", phase: "before" } }];
    await server.faults?.add(
      ruleSetSchema.parse({ kind: "LOCAL_KINTONE_FAULT_RULES", formatVersion: 1, rules }),
    );
    const answer = ended.send("POST", "/k/v1/record.json", { app, record: keyed("never") });
    const failed = expect(answer).rejects.toThrow();
    await server.faults?.waitFor("held", 1, AbortSignal.timeout(20_000));
    await server.dispose();
    await failed;
    const again = createLocalKintone({
      databasePath: join(folder, "kintone.sqlite"),
      clock: systemClock,
      ids: systemIds,
    });
    const headers = { "x-cybozu-api-token": token };
    const { body } = await again.handle({ method: "GET", target: `/k/v1/records.json?app=${app}`, headers });
    expect(JSON.parse(Buffer.from(body).toString())).toEqual({ records: [], totalCount: null });
    await again.dispose();
    rmSync(folder, { recursive: true, force: true });
  });
});
