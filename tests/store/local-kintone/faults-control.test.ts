import { request } from "node:http";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createFaultControl } from "../../../main/local-kintone/index.ts";
import { CONTROL_TOKEN, type FaultRig, startFaultRig } from "./fault-support.ts";
import { keyed } from "./support.ts";

let rig: FaultRig;
beforeAll(async () => {
  rig = await startFaultRig({ journalLimit: 50 });
});
afterEach(() => rig.control.clear());
afterAll(() => rig.close());

const LIST = { "x-fault-control-token": CONTROL_TOKEN, "content-type": "application/json" };

function ask(
  port: number,
  path: string,
  options: { headers?: Record<string, string>; method?: string; body?: string } = {},
): Promise<{ readonly status: number; readonly text: string; readonly cors: string | undefined }> {
  return new Promise((resolve, reject) => {
    const { headers = LIST, method = "POST", body = "{}" } = options;
    const call = request({ host: "127.0.0.1", port, path, method, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () =>
        resolve({
          status: response.statusCode ?? 0,
          text: Buffer.concat(chunks).toString("utf8"),
          cors: response.headers["access-control-allow-origin"],
        }),
      );
    });
    call.on("error", reject);
    call.end(body);
  });
}

describe("who may control faults (kintone-rest §19)", () => {
  it.each([
    ["no token", { "content-type": "application/json" }, 401],
    ["a wrong token", { "x-fault-control-token": "x".repeat(CONTROL_TOKEN.length) }, 401],
    ["a kintone token", { "x-cybozu-api-token": CONTROL_TOKEN }, 401],
    ["a foreign Host", { ...LIST, host: "kintone.example" }, 421],
    ["an Origin", { ...LIST, origin: "http://127.0.0.1" }, 403],
    ["an Origin of null", { ...LIST, origin: "null" }, 403],
    ["a browser's own marks", { ...LIST, "sec-fetch-site": "same-origin" }, 403],
  ])("refuses a call with %s", async (_, headers, status) => {
    const answer = await ask(rig.controlPort, "/rules/list", { headers });
    expect(answer).toMatchObject({ status, text: "{}", cors: undefined });
  });

  it("answers a preflight like any call without the token", async () => {
    const headers = { origin: "http://evil.example", "access-control-request-method": "POST" };
    const answer = await ask(rig.controlPort, "/rules/add", { method: "OPTIONS", headers });
    expect(answer).toMatchObject({ status: 403, cors: undefined });
  });

  it("knows its own routes and one method only", async () => {
    expect((await ask(rig.controlPort, "/k/v1/records.json")).status).toBe(404);
    expect((await ask(rig.controlPort, "/toString")).status).toBe(404);
    expect((await ask(rig.controlPort, "/rules/list", { method: "GET" })).status).toBe(405);
    expect((await ask(rig.controlPort, "/rules/list")).status).toBe(200);
  });

  it.each(["/rules/list", "/rules/add", "/act", "/k/rules/list", "/k/v1/rules/list.json"])(
    "is not reached through the kintone port at %s",
    async (path) => {
      expect((await ask(rig.port, path)).status).toBe(404);
      expect((await rig.control.rules()).length).toBe(0);
    },
  );

  it("marks answers outside kintone's paths, and no others", async () => {
    const outside = await fetch(`${rig.baseUrl}/index.html`);
    expect(outside.headers.get("x-local-kintone-faults")).toBe("active");
    const inside = await rig.send("GET", `/k/v1/records.json?app=${rig.app}`);
    expect(inside.headers.get("x-local-kintone-faults")).toBeNull();
  });
});

describe("rules over the control port (kintone-rest §19)", () => {
  it("refuses what is no rule, naming the place", async () => {
    const broken = {
      kind: "LOCAL_KINTONE_FAULT_RULES",
      formatVersion: 1,
      rules: [{ id: "x", effect: { kind: "burn" } }],
    };
    const answer = await ask(rig.controlPort, "/rules/add", { body: JSON.stringify(broken) });
    expect(answer.status).toBe(400);
    expect(answer.text).toContain("FAULT_REQUEST_INVALID");
    expect(answer.text).toContain("rules[0].effect");
    expect((await ask(rig.controlPort, "/rules/add", { body: "{" })).status).toBe(400);
    const unknownKey = { id: "x", match: { methodes: ["PUT"] }, effect: { kind: "lose-request" } };
    const set = { ...broken, rules: [unknownKey] };
    expect((await ask(rig.controlPort, "/rules/add", { body: JSON.stringify(set) })).status).toBe(400);
    const pattern = { id: "x", match: { path: "(" }, effect: { kind: "lose-request" } } as const;
    await expect(rig.control.add(pattern)).rejects.toMatchObject({ code: "FAULT_REQUEST_INVALID" });
    const port = { id: "x", match: { app: "1" }, effect: { kind: "block", how: "refuse" } } as const;
    await expect(rig.control.add(port)).rejects.toMatchObject({ code: "FAULT_REQUEST_INVALID" });
    expect(await rig.control.rules()).toEqual([]);
  });

  it("adds all rules or none, lists them with their counts, and clears them by id", async () => {
    const rule = (id: string) => ({ id, match: { client: id }, effect: { kind: "lose-request" } }) as const;
    await rig.control.add([rule("a"), rule("b")]);
    await expect(rig.control.add([rule("c"), rule("a")])).rejects.toMatchObject({
      code: "FAULT_RULE_EXISTS",
    });
    const headers = { "X-Cybozu-API-Token": rig.token, "X-Client-Label": "b" };
    await expect(rig.send("GET", `/k/v1/records.json?app=${rig.app}`, undefined, headers)).rejects.toThrow();
    expect(await rig.control.rules()).toMatchObject([
      { rule: { id: "a" }, met: 0, fired: 0 },
      { rule: { id: "b" }, met: 1, fired: 1 },
    ]);
    expect(await rig.control.clear("b")).toEqual(["b"]);
    expect((await rig.control.rules()).map(({ rule: { id } }) => id)).toEqual(["a"]);
  });

  it("refuses to end a server that is part of another program", async () => {
    const crash = { id: "kill", effect: { kind: "crash" } } as const;
    await expect(rig.control.add(crash)).rejects.toMatchObject({ code: "CRASH_NEEDS_PROCESS" });
    expect(await rig.control.rules()).toEqual([]);
  });

  it("answers with an error of its own where a rule cannot be carried out", async () => {
    const id = rig.insert("failed");
    const action = { kind: "write-record", record: "999999", fields: {} } as const;
    await rig.control.add({ id: "odd", match: { methods: ["PUT"] }, effect: { kind: "act", action } });
    expect(await rig.putStatus(id)).toMatchObject({ status: 500, json: { code: "LOCAL_FAULT_FAILED" } });
    expect((await rig.stored(id)).revision).toBe("1");
    expect(await rig.lastRequest()).toMatchObject({ code: "LOCAL_FAULT_FAILED", rules: ["odd"] });
  });

  it("tells a client with a wrong token that it is one", async () => {
    const other = createFaultControl({ port: rig.controlPort, token: "wrong" });
    await expect(other.rules()).rejects.toMatchObject({ code: "FAULT_CONTROL_FAILED" });
  });
});

describe("the journal (kintone-rest §19)", () => {
  it("says nothing a drill must not keep: no token, header, value or query literal", async () => {
    const record = keyed("secret-key", { note: { value: "secret-note" } });
    await rig.send("POST", "/k/v1/record.json", { app: rig.app, record });
    await rig.send("GET", `/k/v1/records.json?app=${rig.app}&query=record_key%20%3D%20%22secret-key%22`);
    const text = JSON.stringify(await rig.control.journal());
    expect(text).toContain("record_type");
    for (const secret of ["secret-", rig.token, CONTROL_TOKEN]) expect(text).not.toContain(secret);
  });

  it("records the seed and rules, numbers its lines, and keeps a bounded number of them", async () => {
    const start = (await rig.control.journal()).at(-1)?.seq ?? 0;
    const rule = { id: "seeded", match: { client: "nobody" }, effect: { kind: "lose-request" } } as const;
    await rig.control.add(rule, 77);
    const [added] = await rig.control.journal(start);
    expect(added).toMatchObject({ kind: "rules_added", seed: 77, rules: ["seeded"], seq: start + 1 });
    for (let turn = 0; turn < 110; turn += 1)
      await rig.server.handle({ method: "GET", target: "/x", headers: {} });
    const entries = await rig.control.journal();
    expect(entries).toHaveLength(50);
    expect(new Set(entries.map(({ seq }) => seq)).size).toBe(50);
    expect(entries.at(-1)?.seq).toBe(start + 111);
  });
});
