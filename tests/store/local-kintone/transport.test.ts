import { KintoneRestAPIClient } from "@kintone/rest-api-client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { keyed, type RawAnswer, type Rig, startRig } from "./support.ts";

let rig: Rig;
beforeAll(async () => {
  rig = await startRig();
  const records = ["a b", "a+b", "c"].map((note, index) => keyed(`key-${index}`, { note: { value: note } }));
  await rig.client.record.addRecords({ app: rig.app, records });
});
afterAll(() => rig.close());

const overridden = (method: string, path: string, body: object): Promise<RawAnswer> =>
  rig.send("POST", path, body, { "X-Cybozu-API-Token": rig.token, "X-HTTP-Method-Override": method });
const rows = (answer: RawAnswer): readonly Record<string, { value: string }>[] =>
  JSON.parse(JSON.stringify(answer.json.records ?? []));

describe("method override (kintone-rest §2)", () => {
  it("runs a POST as GET, PUT and DELETE with its JSON body as parameters", async () => {
    const { app } = rig;
    const added = await overridden("POST", "/k/v1/record.json", { app, record: keyed("over-1") });
    expect(added.json).toMatchObject({ revision: "1" });
    const { id } = added.json;
    const read = await overridden("GET", "/k/v1/record.json", { app, id });
    expect(read.json).toMatchObject({ record: { record_key: { value: "over-1" } } });
    const changed = await overridden("PUT", "/k/v1/record.json", {
      app,
      id,
      record: { note: { value: "n" } },
    });
    expect(changed.json).toEqual({ revision: "2" });
    const gone = await overridden("DELETE", "/k/v1/records.json", { app, ids: [id] });
    expect([gone.status, gone.json]).toEqual([200, {}]);
  });

  it("takes the header in upper case and on POST only", async () => {
    const { app } = rig;
    const lower = await overridden("get", "/k/v1/record.json", { app, record: keyed("over-2") });
    expect(lower.json).toMatchObject({ revision: "1" });
    const onGet = await rig.send("GET", `/k/v1/records.json?app=${app}&query=limit+1`, undefined, {
      "X-Cybozu-API-Token": rig.token,
      "X-HTTP-Method-Override": "DELETE",
    });
    expect(rows(onGet)).toHaveLength(1);
  });

  it("serves the official client's GET of more than 4096 characters (§1.1)", async () => {
    const keys = Array.from({ length: 300 }, (_, index) => `"key-${index}-${"x".repeat(8)}"`);
    const query = `record_key in ("key-1", ${keys.join(", ")})`;
    expect(query.length).toBeGreaterThan(4_096);
    const { records } = await rig.client.record.getRecords({ app: rig.app, query });
    expect(records).toHaveLength(1);
  });
});

describe("parameters in the body and in the URL (kintone-rest §2)", () => {
  it("takes a JSON body on GET and DELETE", async () => {
    const { app } = rig;
    const sent = await sendWithBody("GET", "/k/v1/records.json", { app, query: 'record_key = "key-2"' });
    expect(sent).toContain('"value":"key-2"');
    const { id } = await rig.client.record.addRecord({ app, record: keyed("body-delete") });
    expect((await rig.send("DELETE", "/k/v1/records.json", { app, ids: [id] })).json).toEqual({});
  });

  it.each([
    ["x[0]=", "fields[0]=record_key&fields[1]=$id"],
    ["x%5B0%5D=", "fields%5B0%5D=record_key&fields%5B1%5D=%24id"],
    ["x[]=", "fields[]=record_key&fields[]=$id"],
    ["repeated x=", "fields=record_key&fields=$id"],
    ["a lone x=", "fields=record_key"],
  ])("reads an array spelt %s", async (_, spelling) => {
    const answer = await rig.send("GET", `/k/v1/records.json?app=${rig.app}&${spelling}`);
    const codes = Object.keys(rows(answer)[0] ?? {}).sort();
    expect(codes).toEqual(spelling.includes("id") ? ["$id", "record_key"] : ["record_key"]);
  });

  it("reads + as a space and %2B as a plus", async () => {
    const find = async (text: string): Promise<readonly string[]> => {
      const path = `/k/v1/records.json?app=${rig.app}&query=note+like+%22${text}%22+order+by+$id+asc`;
      return rows(await rig.send("GET", path)).map((row) => row.note?.value ?? "");
    };
    expect(await find("a+b")).toEqual(["a b"]);
    expect(await find("a%2Bb")).toEqual(["a+b"]);
  });

  it("takes ids and revisions as numbers and texts and answers them as texts", async () => {
    const { app } = rig;
    const { id } = await rig.client.record.addRecord({ app, record: keyed("number-or-text") });
    const put = (body: object): Promise<RawAnswer> => rig.send("PUT", "/k/v1/record.json", body);
    const note = { note: { value: "n" } };
    expect((await put({ app, id: Number(id), revision: 1, record: note })).json).toEqual({ revision: "2" });
    expect((await put({ app: String(app), id, revision: "2", record: note })).json).toEqual({
      revision: "3",
    });
  });
});

async function sendWithBody(method: string, path: string, body: object): Promise<string> {
  const { request } = await import("node:http");
  return new Promise((resolve, reject) => {
    const text = JSON.stringify(body);
    const headers = {
      "X-Cybozu-API-Token": rig.token,
      "Content-Type": "application/json",
      "Content-Length": Buffer.byteLength(text),
    };
    const call = request(`${rig.baseUrl}${path}`, { method, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => resolve(Buffer.concat(chunks).toString("utf8")));
    });
    call.on("error", reject);
    call.end(text);
  });
}

describe("headers (kintone-rest §2)", () => {
  it("marks JSON, carries the concurrency headers on success and error, and the code on errors", async () => {
    const good = await rig.send("GET", `/k/v1/app.json?id=${rig.app}`);
    const bad = await rig.send("GET", "/k/v1/app.json?id=777");
    for (const answer of [good, bad]) {
      expect(answer.headers.get("content-type")).toBe("application/json;charset=utf-8");
      expect(answer.headers.get("x-concurrencylimit-limit")).toBe("100");
      expect(answer.headers.get("x-concurrencylimit-running")).toBe("1");
    }
    expect(good.headers.get("x-cybozu-error")).toBeNull();
    expect(bad.headers.get("x-cybozu-error")).toBe("GAIA_AP01");
  });

  it("ignores cookies: they are no login", async () => {
    const headers = { Cookie: "JSESSIONID=anything" };
    const answer = await rig.send("GET", `/k/v1/records.json?app=${rig.app}`, undefined, headers);
    expect([answer.status, answer.json.code]).toEqual([401, "CB_AU01"]);
  });

  it.each([
    ["a cut object", '{"app":'],
    ["a bare word", "hello"],
    ["an array", "[1]"],
  ])("answers %s as a body with 400 CB_IJ01", async (_, body) => {
    const answer = await rig.send("POST", "/k/v1/record.json", body);
    expect([answer.status, answer.json.code, answer.json.message]).toEqual([
      400,
      "CB_IJ01",
      "不正なJSON文字列です。",
    ]);
  });

  it.each([
    ["GET", "/k/v1/nothing.json", 404],
    ["GET", "/k/v2/records.json", 404],
    ["GET", "/", 404],
    ["DELETE", "/k/v1/record.json", 405],
    ["POST", "/k/v1/app.json", 405],
  ])("answers %s %s with %i as HTML", async (method, path, status) => {
    const answer = await rig.send(method, path);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([status, "text/html;charset=utf-8"]);
    expect(answer.headers.get("x-concurrencylimit-limit")).toBe("100");
  });

  it("gives HTML errors to the official client as status and reason", async () => {
    const lost = new KintoneRestAPIClient({
      baseUrl: `${rig.baseUrl}/elsewhere`,
      auth: { apiToken: rig.token },
      proxy: false,
    });
    await expect(lost.record.getRecords({ app: rig.app })).rejects.toThrow("404: Not Found");
  });
});
