import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { keyed, type Rig, startRig } from "./support.ts";

let rig: Rig;
beforeAll(async () => {
  rig = await startRig();
});
afterAll(() => rig.close());

const upload = async (data: string): Promise<string> =>
  (await rig.client.file.uploadFile({ file: { name: "束 #1.zip", data: Buffer.from(data) } })).fileKey;
const withFile = (key: string, fileKey: string): ReturnType<typeof keyed> =>
  keyed(key, { bundle: { value: [{ fileKey }] } });
const post = (record: object): object => ({
  method: "POST",
  api: "/k/v1/record.json",
  payload: { app: rig.app, record },
});

describe("files (kintone-rest §11)", () => {
  it("uploads, attaches, shows and downloads a file; the two kinds of key are not interchangeable", async () => {
    const { app, client } = rig;
    const fileKey = await upload("bundle bytes");
    expect(fileKey).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    const { id } = await client.record.addRecord({ app, record: withFile("file-1", fileKey) });
    const { record } = await client.record.getRecord({ app, id });
    const files: { fileKey: string }[] = JSON.parse(JSON.stringify(record.bundle?.value));
    expect(files).toEqual([
      { contentType: "application/zip", fileKey: expect.any(String), name: "束 #1.zip", size: "12" },
    ]);
    const downloadKey = files[0]?.fileKey ?? "";
    expect(downloadKey.length).toBeGreaterThan(fileKey.length);
    const bytes = await client.file.downloadFile({ fileKey: downloadKey });
    expect(Buffer.from(bytes).toString()).toBe("bundle bytes");
    const wrong = await rig.send("GET", `/k/v1/file.json?fileKey=${fileKey}`);
    expect([wrong.status, wrong.json.code]).toEqual([404, "GAIA_BL01"]);

    await client.record.updateRecord({ app, id, record: { bundle: { value: [{ fileKey: downloadKey }] } } });
    expect(Buffer.from(await client.file.downloadFile({ fileKey: downloadKey })).toString()).toBe(
      "bundle bytes",
    );
    await client.record.updateRecord({ app, id, record: { bundle: { value: [] } } });
    expect((await rig.send("GET", `/k/v1/file.json?fileKey=${downloadKey}`)).status).toBe(404);
  });

  it("attaches an upload once only, and keeps it when the insert is refused", async () => {
    const fileKey = await upload("once");
    const refused = await rig.send("POST", "/k/v1/record.json", {
      app: rig.app,
      record: { ...withFile("once-1", fileKey), status: { value: "GONE" } },
    });
    expect(refused.json.code).toBe("CB_VA01");
    const first = await rig.send("POST", "/k/v1/record.json", {
      app: rig.app,
      record: withFile("once-1", fileKey),
    });
    expect(first.status).toBe(200);
    const again = await rig.send("POST", "/k/v1/record.json", {
      app: rig.app,
      record: withFile("once-2", fileKey),
    });
    expect([again.status, again.json.code]).toEqual([404, "GAIA_BL01"]);
  });
});

describe("bulkRequest (kintone-rest §9)", () => {
  it("answers the results in order and counts as one transaction", async () => {
    const { app, client } = rig;
    const { id } = await client.record.addRecord({ app, record: keyed("bulk-0") });
    const { results } = await client.bulkRequest({
      requests: [
        { method: "POST", api: "/k/v1/records.json", payload: { app, records: [keyed("bulk-1")] } },
        { method: "PUT", api: "/k/v1/record.json", payload: { app, id, record: { note: { value: "b" } } } },
        { method: "DELETE", api: "/k/v1/records.json", payload: { app, ids: [id] } },
      ],
    });
    expect(results).toEqual([{ ids: [expect.any(String)], revisions: ["1"] }, { revision: "2" }, {}]);
  });

  it("rolls everything back at the first failure, consumed file keys included, and keeps its status", async () => {
    const fileKey = await upload("rolled back");
    const missing = {
      method: "PUT",
      api: "/k/v1/record.json",
      payload: { app: rig.app, id: 999, record: {} },
    };
    const requests = [post(withFile("bulk-file", fileKey)), missing, post(keyed("bulk-never"))];
    const answer = await rig.send("POST", "/k/v1/bulkRequest.json", { requests });
    expect(answer.status).toBe(404);
    expect(answer.json).toEqual({
      results: [
        {},
        {
          code: "GAIA_RE01",
          id: expect.stringMatching(/^[A-Za-z0-9]{20}$/),
          message: "指定したレコード（id: 999）が見つかりません。",
        },
        {},
      ],
    });
    const { totalCount } = await rig.client.record.getRecords({
      app: rig.app,
      query: 'record_key in ("bulk-file", "bulk-never")',
      totalCount: true,
    });
    expect(totalCount).toBe("0");
    const retried = await rig.send("POST", "/k/v1/bulkRequest.json", {
      requests: [post(withFile("bulk-file", fileKey))],
    });
    expect(retried.status).toBe(200);
  });

  it("gives a stale revision its 409 and its index to the official client", async () => {
    const { app, client } = rig;
    const { id } = await client.record.addRecord({ app, record: keyed("bulk-stale") });
    const payload = { app, id, revision: 5, record: {} };
    await expect(
      client.bulkRequest({
        requests: [
          { method: "POST", api: "/k/v1/record.json", payload: { app, record: keyed("bulk-x") } },
          { method: "PUT", api: "/k/v1/record.json", payload },
        ],
      }),
    ).rejects.toMatchObject({ status: 409, code: "GAIA_CO02", bulkRequestIndex: 1 });
  });

  it("keeps the place of the failing row for addAllRecords", async () => {
    const { app, client } = rig;
    await client.record.addRecord({ app, record: keyed("all-150") });
    const records = Array.from({ length: 180 }, (_, n) => keyed(`all-${n}`));
    await expect(client.record.addAllRecords({ app, records })).rejects.toMatchObject({ errorIndex: 150 });
  });

  it.each([
    ["21 requests", { requests: Array.from({ length: 21 }, () => ({})) }],
    ["no array", { requests: {} }],
    ["nothing", {}],
  ])("refuses %s on requests", async (_, body) => {
    const answer = await rig.send("POST", "/k/v1/bulkRequest.json", body);
    expect([answer.status, answer.json.code]).toEqual([400, "CB_VA01"]);
    expect(Object.keys(JSON.parse(JSON.stringify(answer.json.errors)))).toEqual(["requests"]);
  });
});

describe("batch limits (kintone-rest §6)", () => {
  it("refuses 101 rows and an empty delete with the captured texts", async () => {
    const { app } = rig;
    const many = await rig.send("POST", "/k/v1/records.json", {
      app,
      records: Array.from({ length: 101 }, () => ({})),
    });
    expect(many.json.errors).toEqual({
      records: { messages: ["一度に100件までのレコードを追加できます。"] },
    });
    const none = await rig.send("DELETE", `/k/v1/records.json?app=${app}`);
    expect(none.json.errors).toEqual({
      ids: { messages: ["必須です。", "一度に1件から100件までのレコードを削除できます。"] },
    });
    const unknown = await rig.send("DELETE", `/k/v1/records.json?app=${app}&ids[0]=1&ids[1]=99999`);
    expect([unknown.status, unknown.json.code]).toEqual([404, "GAIA_RE01"]);
    expect((await rig.send("POST", "/k/v1/records.json", { app, records: [] })).json).toEqual({
      ids: [],
      revisions: [],
    });
  });
});
