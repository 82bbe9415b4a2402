import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { keyed, type Rig, startRig } from "./support.ts";

let rig: Rig;
const names = new Map<string, string>();

const SEED: Readonly<Record<string, Readonly<Record<string, { value: unknown }>>>> = {
  one: keyed("one", {
    run_id: { value: "netrun_1" },
    status: { value: "RUNNING" },
    revision: { value: 5 },
    note: { value: "KSQL-FLOW-TEST-C200 と 受注データ" },
    as_of: { value: "2026-09-01T00:10:59Z" },
    day: { value: "2026-09-01" },
    at: { value: "08:30" },
    flags: { value: ["取消"] },
    short: { value: "AB C" },
  }),
  two: keyed("two", {
    run_id: { value: "netrun_1" },
    record_type: { value: "NODE_STATE" },
    revision: { value: "10.50" },
    note: { value: " \n\t" },
    as_of: { value: "2026-09-02T00:00:00Z" },
    many: { value: ["a", "b"] },
    short: { value: 'q"\\' },
    lock_key: { value: "N1:x" },
  }),
  three: keyed("three", {
    run_id: { value: "netrun_10" },
    status: { value: "SUCCESS" },
    revision: { value: "-3" },
    note: { value: "ALPHA_BETA P-Q-R" },
  }),
};

beforeAll(async () => {
  rig = await startRig();
  for (const [name, record] of Object.entries(SEED)) {
    const { id } = await rig.client.record.addRecord({ app: rig.app, record });
    names.set(id, name);
  }
});
afterAll(() => rig.close());

async function found(query: string): Promise<string> {
  const { records } = await rig.client.record.getRecords({ app: rig.app, query });
  return records.map((record) => names.get(String(record.$id?.value)) ?? "?").join(" ");
}

describe("queries that find (kintone-rest §13, wire-format §4.2)", () => {
  it.each([
    ["", "three two one"],
    ['record_key in ("one")', "one"],
    ['record_key = "one" limit 1', "one"],
    ['record_type in ("NETWORK_RUN") and run_id in ("netrun_1")', "one"],
    [
      'record_type in ("NETWORK_RUN") and run_id in ("netrun_1") and $id > 0 order by $id asc limit 100',
      "one",
    ],
    ['run_id in ("netrun_1") and $id > 0 order by $id asc limit 100', "one two"],
    ['run_id in ("netrun_1", "netrun_10") order by $id asc', "one two three"],
    ['record_type in ("NODE_STATE") and lock_key in ("N1:x") and status in ("")', "two"],
    ['lock_key = ""', "three one"],
    ['lock_key in ("", "N1:x") order by $id asc', "one two three"],
    ['status not in ("RUNNING")', "three two"],
    ['status in ("")', "two"],
    ['record_key != "one"', "three two"],
    ['$id in ("1", 3)', "three one"],
    ["$id > 1 and $id < 3", "two"],
    ["レコード番号 >= 2", "three two"],
    ["revision > 5", "two"],
    ["revision >= 5 order by revision asc", "one two"],
    ['revision in ("10.5")', "two"],
    ["revision < 0", "three"],
    ["order by revision asc", "three one two"],
    ["order by revision desc limit 1 offset 1", "one"],
    ['run_id = "netrun_1" or revision = -3 and status in ("SUCCESS")', "three two one"],
    ['(run_id = "netrun_1" or revision = -3) and status in ("SUCCESS")', "three"],
    ['run_id = "x" OR $id = 1', "one"],
    ['as_of = "2026-09-01T00:10:00Z"', "one"],
    ['as_of >= "2026-09-01T09:11:00+09:00"', "two"],
    ['day = "2026-9-1"', "one"],
    ['at < "09:00"', "one"],
    ['flags in ("取消")', "one"],
    ['flags not in ("取消", "確認")', "three two"],
    ['flags in ("")', "three two"],
    ['many in ("a", "b")', "two"],
    ['pick in ("x")', "three two one"],
    ["note is empty", "two"],
    ["note is not empty", "three one"],
    ['note like "KSQL-FLOW-TEST-C"', ""],
    ['note like "KSQL-FLOW"', "one"],
    ['note like "受注"', "one"],
    ['note like "ALPHA"', ""],
    ['note like "P-Q"', "three"],
    ['short = "q\\"\\\\"', "two"],
    ["bundle is empty", "three two one"],
    ['作成者 in ("Administrator", LOGINUSER())', "three two one"],
    ["作成日時 = TODAY() order by 作成日時 asc, $id asc limit 2", "one two"],
    ["作成日時 <= NOW()", "three two one"],
    ["作成日時 < FROM_TODAY(-1, WEEKS)", ""],
    ["day < THIS_YEAR()", ""],
    ['run_id\u3000in\t(\r\n"netrun_10")', "three"],
  ])("%s -> %s", async (query, expected) => {
    expect(await found(query)).toBe(expected);
  });
});

describe("queries that are refused (kintone-rest §13.4)", () => {
  it.each([
    ["run_id = 'x'", 400, "CB_VA01"],
    ['run_id = "a\nb"', 400, "CB_VA01"],
    ['run_id = "x" and', 400, "CB_VA01"],
    ['run_id ~ "x"', 400, "CB_VA01"],
    ["`run_id` = 1", 400, "CB_VA01"],
    ["limit -1", 400, "CB_VA01"],
    ["limit 501", 400, "GAIA_QU01"],
    ["offset 10001", 400, "GAIA_QU02"],
    ['nothing = "x"', 400, "GAIA_IQ11"],
    ["order by nothing asc", 400, "GAIA_IQ11"],
    ['status = "RUNNING"', 400, "GAIA_IQ03"],
    ['status = "CANCELLED"', 400, "GAIA_IQ10"],
    ['status in ("CANCELLED")', 400, "GAIA_IQ10"],
    ['note = "x"', 400, "GAIA_IQ03"],
    ['run_id > "x"', 400, "GAIA_IQ03"],
    ['as_of in ("2026-09-01T00:10:00Z")', 400, "GAIA_IQ03"],
    ['run_id.x = "x"', 400, "GAIA_IR02"],
    ['作成者 in ("nobody")', 400, "GAIA_IL42"],
    ["作成日時 = FROM_TODAY(1, HOURS)", 400, "GAIA_IQ25"],
    ["作成日時 = FROM_TODAY(1)", 400, "GAIA_IL08"],
    ["作成日時 = THIS_MONTH(32)", 400, "GAIA_IQ23"],
  ])("%s -> %i %s", async (query, status, code) => {
    const path = `/k/v1/records.json?app=${rig.app}&query=${encodeURIComponent(query)}`;
    const answer = await rig.send("GET", path);
    expect(answer.status).toBe(status);
    expect(answer.json.code).toBe(code);
    expect(answer.headers.get("x-cybozu-error")).toBe(code);
  });

  it("names the query parameter and the wording of both languages", async () => {
    const path = `/k/v1/records.json?app=${rig.app}&query=x%3D`;
    const ja = await rig.send("GET", path);
    expect(ja.json.errors).toEqual({ query: { messages: ["クエリ記法が間違っています。"] } });
    const auth = { "X-Cybozu-API-Token": rig.token, "Accept-Language": "fr, en;q=0.9, ja;q=0.1" };
    const en = await rig.send("GET", path, undefined, auth);
    expect(en.json.message).toBe("Missing or invalid input.");
  });
});

describe("paging and parameter spellings (kintone-rest §1.1, §2, §6)", () => {
  const ids = (answer: { json: Record<string, unknown> }): unknown =>
    JSON.parse(JSON.stringify(answer.json.records)).map((record: object) => Object.keys(record).join());

  it("reads every record by keyset pages, in ascending id order, beyond one page", async () => {
    const other = rig.server.provision.createApp({ name: "paging", fields: { n: { type: "NUMBER" } } });
    const token = rig.server.provision.createToken(other, ["view"], "pager");
    rig.server.provision.insertRecords(
      other,
      Array.from({ length: 1234 }, (_, n) => ({ n: { value: n } })),
    );
    const auth = { "X-Cybozu-API-Token": token };
    const seen: number[] = [];
    for (let last = 0, size = 500; size === 500; ) {
      const query = encodeURIComponent(`$id > ${last} order by $id asc limit 500`);
      const path = `/k/v1/records.json?app=${other}&query=${query}&totalCount=true`;
      const { json } = await rig.send("GET", path, undefined, auth);
      const page: { $id: { value: string } }[] = JSON.parse(JSON.stringify(json.records));
      expect(json.totalCount).toBe(String(1234 - last));
      seen.push(...page.map((record) => Number(record.$id.value)));
      last = seen.at(-1) ?? 0;
      size = page.length;
    }
    expect(seen).toEqual(Array.from({ length: 1234 }, (_, n) => n + 1));
  });

  it("serves getAllRecords of the client, with only the fields it asks for", async () => {
    const records = await rig.client.record.getAllRecordsWithId({
      app: rig.app,
      condition: 'run_id in ("netrun_1")',
      fields: ["record_key"],
    });
    expect(records.map((record) => Object.keys(record).sort())).toEqual([
      ["$id", "record_key"],
      ["$id", "record_key"],
    ]);
    expect(records[0]?.$id).toEqual({ type: "__ID__", value: "1" });
  });

  it.each([
    "fields[0]=record_key&fields[1]=$id",
    "fields%5B0%5D=record_key&fields%5B1%5D=%24id",
    "fields[]=record_key&fields[]=$id",
    "fields=record_key&fields=$id",
  ])("accepts the array spelling %s", async (fields) => {
    const answer = await rig.send("GET", `/k/v1/records.json?app=${rig.app}&${fields}&query=limit+1`);
    expect(ids(answer)).toEqual(["record_key,$id"]);
    expect(answer.json.totalCount).toBeNull();
  });

  it("reads + as a space, and a long GET that the client sends as an overridden POST", async () => {
    const plus = await rig.send("GET", `/k/v1/records.json?app=${rig.app}&query=$id+in+(1)&fields=$id`);
    expect(ids(plus)).toEqual(["$id"]);
    const long = Array.from({ length: 400 }, (_, n) => `"none-${n}"`).join(", ");
    const { records } = await rig.client.record.getRecords({
      app: rig.app,
      query: `record_key in (${long}, "two")`,
    });
    expect(records).toHaveLength(1);
  });

  it("takes the parameters of a GET from a JSON body", async () => {
    const body = JSON.stringify({ app: rig.app, query: 'record_key in ("three")', fields: ["record_key"] });
    const text = await new Promise<string>((resolve, reject) => {
      const headers = { "X-Cybozu-API-Token": rig.token, "Content-Length": Buffer.byteLength(body) };
      const call = request(`${rig.baseUrl}/k/v1/records.json`, { method: "GET", headers }, (response) => {
        response.setEncoding("utf8");
        let read = "";
        response.on("data", (chunk: string) => {
          read += chunk;
        });
        response.on("end", () => resolve(read));
      });
      call.on("error", reject);
      call.end(body);
    });
    expect(JSON.parse(text)).toEqual({
      records: [{ record_key: { type: "SINGLE_LINE_TEXT", value: "three" } }],
      totalCount: null,
    });
  });

  it("survives a chain of two thousand conditions", async () => {
    const query = Array.from({ length: 2000 }, (_, n) => `run_id = "x${n}"`).join(" or ");
    const { records } = await rig.client.record.getRecords({ app: rig.app, query });
    expect(records).toEqual([]);
  });
});
