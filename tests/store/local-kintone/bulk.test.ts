import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { errorsOf, type Form, record, rows, startForm } from "./forms.ts";
import type { RawAnswer } from "./support.ts";

let form: Form;
beforeAll(async () => {
  form = await startForm();
});
afterAll(() => form.close());

const bulk = (requests: unknown, path = "/k/v1/bulkRequest.json", token = form.token): Promise<RawAnswer> =>
  form.send("POST", path, { requests }, { "X-Cybozu-API-Token": token });
const request = (method: string, name: string, payload: object, app = form.app): object => ({
  method,
  api: `/k/v1/${name}.json`,
  payload: { app, ...payload },
});
const error = (code: string): object =>
  expect.objectContaining({ code, id: expect.stringMatching(/^\w{20}$/) });

describe("bulkRequest (kintone-rest §9)", () => {
  it("runs in order: a later request sees what an earlier one wrote", async () => {
    const answer = await bulk([
      request("POST", "record", { record: record({ code: "in order" }) }),
      request("PUT", "record", {
        updateKey: { field: "code", value: "in order" },
        record: record({ text: "x" }),
      }),
      request("PUT", "records", {
        records: [{ updateKey: { field: "code", value: "in order" }, revision: 2, record: {} }],
      }),
    ]);
    const { id } = JSON.parse(JSON.stringify(answer.json.results))[0];
    expect([answer.status, answer.json]).toEqual([
      200,
      { results: [{ id, revision: "1" }, { revision: "2" }, { records: [{ id, revision: "3" }] }] },
    ]);
  });

  it("takes twenty, and writes of several apps with a token each", async () => {
    const { provision } = form.server;
    const other = provision.createApp({ name: "other", fields: { text: { type: "SINGLE_LINE_TEXT" } } });
    const token = provision.createToken(other, ["add", "view"], "t");
    const twenty = Array.from({ length: 20 }, (_, n) =>
      request("POST", "record", {}, n % 2 === 0 ? form.app : other),
    );
    expect((await bulk(twenty, undefined, `${form.token},${token}`)).status).toBe(200);
    const refused = await bulk(twenty);
    expect([refused.status, refused.json.results]).toEqual([
      403,
      [{}, error("GAIA_AP15"), ...Array.from({ length: 18 }, () => ({}))],
    ]);
  });

  it.each([
    ["a stale revision", { id: 1, revision: 99, record: {} }, 409, "GAIA_CO02"],
    ["an unknown record", { id: 77_777, record: {} }, 404, "GAIA_RE01"],
    ["a bad value", { id: 1, record: record({ num: "x" }) }, 400, "CB_VA01"],
  ])(
    "fails as %s fails, at its place, and rolls back tables and counters",
    async (_, payload, status, code) => {
      const first = await form.add({ text: "base" });
      const id = payload.id === 1 ? first : payload.id;
      const answer = await bulk([
        request("POST", "record", { record: record({ text: "rolled back", table: rows({ item: "r" }) }) }),
        request("DELETE", "records", { ids: [] }),
      ]);
      expect(answer.status).toBe(400);
      const failed = await bulk([
        request("PUT", "record", {
          id: first,
          record: record({ text: "changed", table: rows({ item: "a" }) }),
        }),
        request("PUT", "record", { ...payload, id }),
        request("POST", "record", {}),
      ]);
      expect([failed.status, failed.json.results]).toEqual([status, [{}, error(code), {}]]);
      expect(failed.headers.get("x-cybozu-error")).toBe(code);
      expect(await form.read(first)).toMatchObject({ text: "base", table: [], $revision: "1" });
      expect(await form.found('text = "rolled back"')).toBe("");
      expect(Number(await form.add({}))).toBe(Number(first) + 1);
    },
  );

  it("tells validation errors inside the failing result", async () => {
    const answer = await bulk([
      request("POST", "records", { records: [{}, record({ num: "x", drop: "?" })] }),
    ]);
    expect(answer.json).toEqual({
      results: [
        {
          code: "CB_VA01",
          id: expect.any(String),
          message: "入力内容が正しくありません。",
          errors: {
            "records[1][num].value": { messages: ["数字でなければなりません。"] },
            "records[1].drop.value": { messages: ['"?"は選択肢にありません。'] },
          },
        },
      ],
    });
  });

  it.each([
    ["reading", "GET", "record"],
    ["a bulk request in a bulk request", "POST", "bulkRequest"],
    ["a cursor", "POST", "records/cursor"],
    ["a comment", "POST", "record/comment"],
    ["a setting", "PUT", "preview/app/form/fields"],
  ])("refuses %s", async (_, method, name) => {
    const answer = await bulk([request(method, name, {})]);
    expect([answer.status, Object.keys(errorsOf(answer))]).toEqual([400, ["requests[0].api"]]);
  });

  it("stays within its guest space, and outside of every other", async () => {
    const { provision } = form.server;
    const space = provision.createSpace("guests", true);
    const app = provision.createApp({ name: "guest app", guestSpaceId: Number(space), fields: {} });
    const token = provision.createToken(app, ["add"], "t");
    const inside = { method: "POST", api: `/k/guest/${space}/v1/record.json`, payload: { app } };
    const guest = `/k/guest/${space}/v1/bulkRequest.json`;
    expect((await bulk([inside], guest, token)).status).toBe(200);
    const both = `${token},${form.token}`;
    for (const [requests, path] of [
      [[inside, request("POST", "record", {})], guest],
      [[inside], "/k/v1/bulkRequest.json"],
    ] as const) {
      expect((await bulk(requests, path, both)).status).toBe(400);
    }
  });

  it("runs nothing for no requests, and counts each sub-request of an app", async () => {
    expect((await bulk([])).json).toEqual({ results: [] });
    const count = (): number =>
      form.server.provision.usage().find((row) => String(row.app) === form.app)?.requests ?? 0;
    const before = count();
    await bulk([request("POST", "record", {}), request("POST", "record", {})]);
    expect(count() - before).toBe(2);
  });
});
