import { KintoneAbortSearchError, KintoneRestAPIClient } from "@kintone/rest-api-client";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type FaultRig, startFaultRig } from "./fault-support.ts";
import { keyed } from "./support.ts";

let rig: FaultRig;
beforeAll(async () => {
  rig = await startFaultRig();
});
afterEach(() => rig.control.clear());
afterAll(() => rig.close());

const PUT = { methods: ["PUT" as const] };
const GET = { methods: ["GET" as const] };
const read = (): ReturnType<FaultRig["send"]> => rig.send("GET", `/k/v1/records.json?app=${rig.app}`);

describe("answers of an overloaded service (kintone-rest §19)", () => {
  it.each([
    [{ status: 429, body: "json" }, "application/json", "GAIA_TO04"],
    [{ status: 429, body: "json", code: "GAIA_TM12" }, "application/json", "GAIA_TM12"],
    [{ status: 503, body: "html" }, "text/html", null],
    [{ status: 502, body: "empty" }, null, null],
    [{ status: 520, body: "json", code: "GAIA_NO01" }, "application/json", "GAIA_NO01"],
  ] as const)("F10 answers a burst of %o and then serves", async (shape, type, code) => {
    const id = rig.insert(`f10-${JSON.stringify(shape)}`.slice(0, 60));
    const effect = { kind: "status", ...shape, retryAfter: "2" } as const;
    await rig.control.add({ id: "burst", match: PUT, when: { times: 2 }, effect });
    for (let turn = 0; turn < 2; turn += 1) {
      const answer = await rig.putStatus(id);
      expect(answer.status).toBe(shape.status);
      expect(answer.headers.get("retry-after")).toBe("2");
      expect(answer.headers.get("content-type")?.split(";", 1)[0] ?? null).toBe(type);
      if (code !== null) expect(answer.json.code).toBe(code);
    }
    expect(await rig.lastRequest()).toMatchObject({ status: shape.status, code, rules: ["burst"] });
    expect((await rig.putStatus(id)).json).toEqual({ revision: "2" });
  });

  it("F10 runs bursts one after another", async () => {
    const burst = (id: string, status: 429 | 503, times: number) =>
      ({ id, match: GET, when: { times }, effect: { kind: "status", status } }) as const;
    await rig.control.add([burst("first", 429, 2), burst("second", 503, 1)]);
    const statuses: number[] = [];
    for (let turn = 0; turn < 4; turn += 1) statuses.push((await read()).status);
    expect(statuses).toEqual([429, 429, 503, 200]);
  });

  it("F11 lets only so many run at once", async () => {
    const ids = ["a", "b", "c"].map((name) => rig.insert(`f11-${name}`));
    await rig.control.add([
      { id: "gate", match: PUT, effect: { kind: "concurrency", limit: 2 } },
      { id: "inside", match: PUT, when: { times: 2 }, effect: { kind: "barrier", phase: "before" } },
    ]);
    const running = ids.slice(0, 2).map((id) => rig.putStatus(id));
    await rig.control.waitFor("inside", { count: 2 });
    const third = await rig.putStatus(ids[2] ?? "");
    expect(third).toMatchObject({ status: 429, json: { code: "GAIA_TO04" } });
    expect(third.headers.get("x-concurrencylimit-limit")).toBe("2");
    expect(third.headers.get("x-concurrencylimit-running")).toBe("3");
    expect(await rig.lastRequest()).toMatchObject({ status: 429, code: "GAIA_TO04" });
    await rig.control.release("inside");
    expect((await Promise.all(running)).map((answer) => answer.status)).toEqual([200, 200]);
    expect((await rig.putStatus(ids[2] ?? "")).status).toBe(200);
  });
});

describe("refusals (kintone-rest §19)", () => {
  it("F12 answers a stale revision as a lock failure, alone and inside a bulk", async () => {
    const id = rig.insert("f12");
    await rig.control.add({ id: "loser", effect: { kind: "revision-loser", code: "GAIA_DA02" } });
    expect((await rig.putStatus(id, 1)).status).toBe(200);
    expect(await rig.putStatus(id, 1)).toMatchObject({ status: 400, json: { code: "GAIA_DA02" } });
    expect(await rig.lastRequest()).toMatchObject({
      status: 400,
      code: "GAIA_DA02",
      rules: ["loser"],
      parts: [{ revisionBefore: 2, revisionAfter: 2 }],
    });
    const api = "/k/v1/record.json";
    const put = { app: rig.app, id, revision: 1, record: { status: { value: "SUCCESS" } } };
    const requests = [
      { method: "POST", api, payload: { app: rig.app, record: keyed("f12-new") } },
      { method: "PUT", api, payload: put },
    ];
    const bulk = await rig.send("POST", "/k/v1/bulkRequest.json", { requests });
    expect(bulk).toMatchObject({ status: 400, json: { results: [{}, { code: "GAIA_DA02" }] } });
  });

  it("F12 alternates by the seed: some losers get the one code, some the other, the same ones again", async () => {
    const id = rig.insert("f12-seed");
    const codes = async (): Promise<readonly unknown[]> => {
      await rig.control.add({ id: "draw", effect: { kind: "revision-loser", code: "alternate" } }, 42);
      const seen: unknown[] = [];
      for (let turn = 0; turn < 12; turn += 1) seen.push((await rig.putStatus(id, 99)).json.code);
      await rig.control.clear();
      return seen;
    };
    const first = await codes();
    expect(new Set(first)).toEqual(new Set(["GAIA_CO02", "GAIA_DA02"]));
    expect(await codes()).toEqual(first);
  });

  it("F13 refuses once although nobody else wrote", async () => {
    const id = rig.insert("f13");
    await rig.control.add({ id: "spurious", match: PUT, effect: { kind: "refuse", code: "GAIA_DA02" } });
    expect(await rig.putStatus(id, 1)).toMatchObject({ status: 400, json: { code: "GAIA_DA02" } });
    expect(await rig.lastRequest()).toMatchObject({
      code: "GAIA_DA02",
      rules: ["spurious"],
      parts: [{ revisionBefore: 1, revisionAfter: 1 }],
    });
    expect((await rig.putStatus(id, 1)).status).toBe(200);
  });

  it("F14 names another field as invalid during an insert", async () => {
    const effect = { kind: "refuse", code: "CB_VA01", key: "record.status.value" } as const;
    await rig.control.add({ id: "invalid", match: { methods: ["POST"], hasFields: ["record_key"] }, effect });
    const call = rig.client.record.addRecord({ app: rig.app, record: keyed("f14") });
    await expect(call).rejects.toMatchObject({
      status: 400,
      code: "CB_VA01",
      errors: { "record.status.value": { messages: ["Required."] } },
    });
    expect(await rig.lastRequest("POST")).toMatchObject({ code: "CB_VA01", rules: ["invalid"] });
    expect((await rig.client.record.addRecord({ app: rig.app, record: keyed("f14") })).revision).toBe("1");
  });

  it("F23 expires a cursor early, leaves one behind, and has its cap used up by others", async () => {
    const cursors = "/records/cursor\\.json$";
    await rig.control.add([
      {
        id: "full",
        match: { methods: ["POST"], path: cursors },
        effect: { kind: "refuse", code: "GAIA_TM12" },
      },
      { id: "expired", match: { ...GET, path: cursors }, effect: { kind: "refuse", code: "GAIA_CN01" } },
      { id: "orphan", match: { methods: ["POST"], path: cursors }, effect: { kind: "lose-response" } },
    ]);
    const create = () => rig.client.record.createCursor({ app: rig.app });
    const capped = rig.send("POST", "/k/v1/records/cursor.json", { app: rig.app });
    await expect(capped).rejects.toThrow();
    expect(await rig.lastRequest("POST")).toMatchObject({ code: "GAIA_TM12", rules: ["full", "orphan"] });
    const { id } = await create();
    await expect(rig.client.record.getRecordsByCursor({ id })).rejects.toMatchObject({
      status: 404,
      code: "GAIA_CN01",
    });
    expect(await rig.lastRequest("GET")).toMatchObject({ code: "GAIA_CN01", rules: ["expired"] });
    await rig.client.record.deleteCursor({ id });
    await rig.control.add({ id: "again", match: { path: cursors }, effect: { kind: "lose-response" } });
    await expect(create()).rejects.toMatchObject({ code: "ECONNRESET" });
    expect(await rig.lastRequest("POST")).toMatchObject({ status: 200, delivery: "reset" });
  });

  it("F24 refuses an upload key, loses a file, and changes its bytes", async () => {
    const upload = (): Promise<{ fileKey: string }> =>
      rig.client.file.uploadFile({ file: { name: "plan.zip", data: Buffer.from("content of a bundle") } });
    const { fileKey } = await upload();
    const insert = () =>
      rig.client.record.addRecord({
        app: rig.app,
        record: keyed("f24", { bundle: { value: [{ fileKey }] } }),
      });
    await rig.control.add([
      {
        id: "used",
        match: { methods: ["POST"], hasFields: ["bundle"] },
        effect: { kind: "refuse", code: "GAIA_BL01" },
      },
      {
        id: "missing",
        match: { ...GET, path: "/file\\.json$" },
        effect: { kind: "refuse", code: "GAIA_BL01" },
      },
      { id: "wrong", match: { ...GET, path: "/file\\.json$" }, effect: { kind: "wrong-bytes" } },
    ]);
    await expect(insert()).rejects.toMatchObject({ status: 404, code: "GAIA_BL01" });
    expect(await rig.lastRequest("POST")).toMatchObject({ code: "GAIA_BL01", rules: ["used"] });
    const { id } = await insert();
    const { record } = await rig.client.record.getRecord({ app: rig.app, id });
    const files: readonly { fileKey: string }[] = JSON.parse(JSON.stringify(record.bundle?.value));
    const download = () => rig.client.file.downloadFile({ fileKey: files[0]?.fileKey ?? "" });
    await expect(download()).rejects.toMatchObject({ status: 404 });
    expect(await rig.lastRequest("GET")).toMatchObject({ code: "GAIA_BL01", rules: ["missing"] });
    const wrong = Buffer.from(await download());
    expect(wrong.equals(Buffer.from("content of a bundle"))).toBe(false);
    expect(wrong.subarray(1).toString()).toBe("ontent of a bundle");
    expect(await rig.lastRequest("GET")).toMatchObject({ status: 200, rules: ["wrong"] });
    expect(Buffer.from(await download()).toString()).toBe("content of a bundle");
  });

  it("F25 fails one entry of a bulk, which stores nothing, and loses the answer of another", async () => {
    const api = "/k/v1/record.json";
    const requests = ["a", "b", "c"].map((name) => ({
      method: "POST" as const,
      api,
      payload: { app: rig.app, record: keyed(`f25-${name}`) },
    }));
    await rig.control.add([
      {
        id: "entry",
        match: { within: "sub-request", subRequest: 1 },
        effect: { kind: "refuse", code: "GAIA_DA02" },
      },
      {
        id: "lost",
        match: { path: "/bulkRequest\\.json$" },
        when: { skip: 1 },
        effect: { kind: "lose-response" },
      },
    ]);
    const bulk = () => rig.client.bulkRequest({ requests });
    await expect(bulk()).rejects.toMatchObject({ code: "GAIA_DA02", bulkRequestIndex: 1 });
    expect((await rig.lastRequest("POST")).rules).toEqual(["entry"]);
    const count = async (): Promise<string | null> =>
      (
        await rig.client.record.getRecords({
          app: rig.app,
          query: 'record_key in ("f25-a","f25-b","f25-c")',
          totalCount: true,
        })
      ).totalCount;
    expect(await count()).toBe("0");
    await expect(bulk()).rejects.toMatchObject({ code: "ECONNRESET" });
    expect(await rig.lastRequest("POST")).toMatchObject({ status: 200, delivery: "reset", rules: ["lost"] });
    expect(await count()).toBe("3");
  });
});

describe("successes that are none (kintone-rest §19)", () => {
  it("F26 cuts a search short with the warning header", async () => {
    rig.insert("f26-a");
    rig.insert("f26-b");
    await rig.control.add({ id: "aborted", match: GET, effect: { kind: "abort-search", keep: 1 } });
    const answer = await read();
    expect(answer.json.records).toHaveLength(1);
    expect(answer.headers.get("x-cybozu-warning")).toBe("Filter aborted because of too many search results");
    expect(await rig.lastRequest("GET")).toMatchObject({ status: 200, rules: ["aborted"] });
    const client = new KintoneRestAPIClient({
      baseUrl: rig.baseUrl,
      auth: { apiToken: rig.token },
      proxy: false,
      featureFlags: { enableAbortSearchError: true },
    });
    await expect(client.record.getRecords({ app: rig.app })).rejects.toBeInstanceOf(KintoneAbortSearchError);
  });

  it.each([
    ["html", "<!DOCTYPE html>"],
    ["empty", ""],
    ["broken-json", '{"revision":"2"'],
    ["numbers", '{"revision":2}'],
    ["drop-member", "{}"],
  ] as const)("F27 answers 200 with %s", async (how, body) => {
    const id = rig.insert(`f27-${how}`);
    await rig.control.add({ id: "odd", match: PUT, effect: { kind: "malformed", how } });
    const response = await fetch(`${rig.baseUrl}/k/v1/record.json`, {
      method: "PUT",
      headers: { "X-Cybozu-API-Token": rig.token },
      body: JSON.stringify({ app: rig.app, id, record: { status: { value: "RUNNING" } } }),
    });
    expect(response.status).toBe(200);
    const text = await response.text();
    expect(how === "html" ? text.slice(0, body.length) : text).toBe(body);
    expect(await rig.lastRequest()).toMatchObject({ status: 200, rules: ["odd"] });
    expect((await rig.stored(id)).revision).toBe("2");
  });
});
