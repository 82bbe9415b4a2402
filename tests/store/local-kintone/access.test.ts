import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createLocalKintone } from "../../../main/local-kintone/index.ts";
import { FlowError } from "../../../shared/domain/problem.ts";
import { type Rig, startRig, systemClock, systemIds } from "./support.ts";

let rig: Rig;
beforeAll(async () => {
  rig = await startRig();
});
afterAll(() => rig.close());

describe("forms and arrivals (kintone-rest §8.4, §12)", () => {
  it("shows the form with its system fields and reference tables", async () => {
    const { properties, revision } = await rig.client.app.getFormFields({ app: rig.app });
    expect(revision).toBe("2");
    expect(properties.record_key).toMatchObject({ type: "SINGLE_LINE_TEXT", required: true, unique: true });
    expect(properties.related).toMatchObject({ referenceTable: { relatedApp: { app: "2" } } });
    expect(properties.作成日時).toMatchObject({ type: "CREATED_TIME", code: "作成日時" });
    expect(properties.ステータス).toMatchObject({ enabled: false });
  });

  it("reports every arrival without query or token, with the size of a bulk request", async () => {
    const arrivals: unknown[] = [];
    const watched = await startRig({ onArrival: (arrival) => arrivals.push(arrival) });
    try {
      await watched.send("GET", `/k/v1/records.json?app=${watched.app}&query=limit+1`);
      await watched.send("POST", "/k/v1/bulkRequest.json", { requests: [{}, {}] });
    } finally {
      await watched.close();
    }
    expect(arrivals).toEqual([
      { method: "GET", path: "/k/v1/records.json", status: 200, subRequests: 0 },
      { method: "POST", path: "/k/v1/bulkRequest.json", status: 400, subRequests: 2 },
    ]);
  });
});

function statusWithHost(host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const call = request(`${rig.baseUrl}/k/v1/records.json`, { headers: { host } }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    call.on("error", reject);
    call.end();
  });
}

describe("the in-process entry", () => {
  it("answers without a socket, with the clock and the random source it was given", async () => {
    const answers: string[] = [];
    for (let run = 0; run < 2; run += 1) {
      let drawn = 0;
      const server = createLocalKintone({
        databasePath: ":memory:",
        clock: { now: () => Date.UTC(2026, 8, 1, 3, 4, 59) },
        ids: {
          random: (bytes) => {
            drawn += 1;
            return new Uint8Array(bytes).fill(drawn);
          },
        },
      });
      const app = server.provision.createApp({ name: "sim", fields: { t: { type: "SINGLE_LINE_TEXT" } } });
      const headers = { "x-cybozu-api-token": server.provision.createToken(app, ["view", "add"], "sim") };
      const body = JSON.stringify({ app, record: { t: { value: "v" } } });
      await server.handle({ method: "POST", target: "/k/v1/record.json", headers, body });
      const read = await server.handle({ method: "GET", target: `/k/v1/records.json?app=${app}`, headers });
      const refused = await server.handle({ method: "GET", target: "/k/v1/record.json", headers });
      answers.push(`${Buffer.from(read.body).toString()} ${Buffer.from(refused.body).toString()}`);
      await server.dispose();
    }
    expect(answers[0]).toContain('"作成日時":{"type":"CREATED_TIME","value":"2026-09-01T03:04:00Z"}');
    expect(answers[1]).toBe(answers[0]);
  });
});

describe("loopback only (kintone-rest §1.1)", () => {
  it("answers under the three loopback names and refuses every other Host with 421", async () => {
    const { port } = rig;
    expect(await statusWithHost(`localhost:${port}`)).toBe(401);
    expect(await statusWithHost(`127.0.0.1:${port}`)).toBe(401);
    expect(await statusWithHost(`[::1]:${port}`)).toBe(401);
    expect(await statusWithHost(`evil.example:${port}`)).toBe(421);
    expect(await statusWithHost("localhost")).toBe(421);
    expect(await statusWithHost(`localhost:${port + 1}`)).toBe(421);
  });

  it("names the owner of a busy port", async () => {
    const second = createLocalKintone({ databasePath: ":memory:", clock: systemClock, ids: systemIds });
    try {
      const failure = await second.listen({ port: rig.port }).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(FlowError);
      expect(failure).toMatchObject({ code: "PORT_BUSY", problem: { place: `port ${rig.port}` } });
      if (process.platform === "linux")
        expect(failure).toMatchObject({ problem: { details: { pid: process.pid } } });
    } finally {
      await second.dispose();
    }
  });
});

describe("a full disk", () => {
  it("answers 500 with a JSON body, keeps every acknowledged record, and still reads", async () => {
    const full = await startRig({ maxPageCount: 120 });
    try {
      const acknowledged: string[] = [];
      let refused: Awaited<ReturnType<Rig["send"]>> | null = null;
      for (let n = 0; refused === null && n < 2000; n += 1) {
        const record = {
          record_key: { value: `full-${n}` },
          record_type: { value: "NODE_STATE" },
          note: { value: "x".repeat(1500) },
        };
        const answer = await full.send("POST", "/k/v1/record.json", { app: full.app, record });
        if (answer.status === 200) acknowledged.push(`full-${n}`);
        else refused = answer;
      }
      expect(refused?.status).toBe(500);
      expect(refused?.json).toMatchObject({ code: "LOCAL_DISK_FULL", id: expect.any(String) });
      const records = await full.client.record.getAllRecordsWithId({ app: full.app, fields: ["record_key"] });
      expect(records.map((record) => record.record_key?.value)).toEqual(acknowledged);
      await full.client.record.deleteRecords({
        app: full.app,
        ids: records.slice(0, 20).map((r) => Number(r.$id?.value)),
      });
      const record = { record_key: { value: "again" }, record_type: { value: "NODE_STATE" } };
      expect((await full.send("POST", "/k/v1/record.json", { app: full.app, record })).status).toBe(200);
    } finally {
      await full.close();
    }
  });
});
