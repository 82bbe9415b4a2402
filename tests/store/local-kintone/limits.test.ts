import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Rig, startRig } from "./support.ts";

let rig: Rig;
let app: string;
let auth: Record<string, string>;
beforeAll(async () => {
  rig = await startRig();
  const { provision } = rig.server;
  app = provision.createApp({
    name: "numbers",
    fields: { n: { type: "NUMBER" }, t: { type: "SINGLE_LINE_TEXT" } },
  });
  auth = { "X-Cybozu-API-Token": provision.createToken(app, ["view", "add"], "numbers") };
});
afterAll(() => rig.close());

const search = (query: string): ReturnType<Rig["send"]> =>
  rig.send("POST", "/k/v1/records.json", { app, query }, { ...auth, "X-HTTP-Method-Override": "GET" });

describe("bounds of a request", () => {
  it("answers 413 to a body above the limit and serves the next request", async () => {
    const small = await rig.server.listen({ port: 0, maxBodyBytes: 1000 });
    const url = `http://localhost:${small.port}/k/v1/records.json`;
    const init = { method: "POST", headers: { ...auth, "X-HTTP-Method-Override": "GET" } };
    const large = await fetch(url, { ...init, body: JSON.stringify({ app, query: " ".repeat(1000) }) });
    expect(large.status).toBe(413);
    expect((await fetch(url, { ...init, body: JSON.stringify({ app }) })).status).toBe(200);
    await small.close();
  });

  it.each([
    ["too many conditions", Array.from({ length: 4001 }, (_, n) => `n = ${n}`).join(" or ")],
    ["too many values", `t in (${Array.from({ length: 30_001 }, (_, n) => `"${n}"`).join(",")})`],
    ["too many brackets", `${"(".repeat(5000)}n = 1${")".repeat(5000)}`],
  ])("refuses a query of %s as a bad query (kintone-rest §13.4)", async (_, query) => {
    const answer = await search(query);
    expect([answer.status, answer.json.code]).toEqual([400, "CB_VA01"]);
    expect(answer.json.errors).toHaveProperty("query");
  });

  it("never answers a made-up query with a server error", async () => {
    const word = fc.constantFrom(
      ...'n t $id 作成日時 = != > in not like is empty and or ( ) , "a" 1 -1.5 order by asc limit offset NOW TODAY \' \\ . 　'.split(
        " ",
      ),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(word, { maxLength: 14 }), async (words) => {
        const answer = await search(words.join(" "));
        expect([200, 400], words.join(" ")).toContain(answer.status);
      }),
      { numRuns: 400, seed: 20_260_901 },
    );
  });
});

describe("decimal order and equality (kintone-rest §6, §8.4)", () => {
  it("orders stored numbers as numbers and finds them by value", async () => {
    const whole = fc.integer({ min: -999_999, max: 999_999 });
    const decimals = fc.tuple(whole, fc.integer({ min: 0, max: 6 })).map(([digits, places]) => {
      const text = String(Math.abs(digits)).padStart(places + 1, "0");
      const cut = text.length - places;
      const plain = places === 0 ? text : `${text.slice(0, cut)}.${text.slice(cut)}`;
      return digits < 0 ? `-${plain}` : plain;
    });
    await fc.assert(
      fc.asyncProperty(fc.array(decimals, { minLength: 2, maxLength: 20 }), async (values) => {
        const ids = rig.server.provision.insertRecords(
          app,
          values.map((value) => ({ n: { value } })),
        );
        const since = `$id >= ${ids[0]}`;
        const { json } = await search(`${since} order by n asc limit 500`);
        const rows: { n: { value: string } }[] = JSON.parse(JSON.stringify(json.records));
        const sorted = values.map(Number).sort((left, right) => left - right);
        expect(rows.map((row) => Number(row.n.value))).toEqual(sorted);
        const [wanted = "0"] = values;
        const equal = await search(`${since} and n = ${wanted} limit 500`);
        const twins = values.filter((value) => Number(value) === Number(wanted)).length;
        expect(JSON.parse(JSON.stringify(equal.json.records))).toHaveLength(twins);
        const above = await search(`${since} and n > ${wanted} limit 500`);
        const larger = values.filter((value) => Number(value) > Number(wanted)).length;
        expect(JSON.parse(JSON.stringify(above.json.records))).toHaveLength(larger);
      }),
      { numRuns: 60, seed: 20_260_902 },
    );
  });
});

describe("requests per app and day (kintone-rest §14)", () => {
  it("counts reads, writes and the sub-requests of a bulk request, and keeps the figure", async () => {
    const { provision } = rig.server;
    const counted = provision.createApp({ name: "counted", fields: { t: { type: "SINGLE_LINE_TEXT" } } });
    const headers = { "X-Cybozu-API-Token": provision.createToken(counted, ["view", "add"], "counted") };
    await rig.send("GET", `/k/v1/records.json?app=${counted}`, undefined, headers);
    const sub = { method: "POST", api: "/k/v1/record.json", payload: { app: counted, record: {} } };
    await rig.send("POST", "/k/v1/bulkRequest.json", { requests: [sub, sub] }, headers);
    const rows = provision.usage().filter((row) => String(row.app) === counted);
    expect(rows).toEqual([
      { app: Number(counted), day: expect.stringMatching(/^\d{4}-\d\d-\d\d$/), requests: 3 },
    ]);
  });
});
