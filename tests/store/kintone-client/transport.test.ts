import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import {
  bulk,
  createKintoneTransport,
  downloadFile,
  duplicateField,
  getApp,
  getFormFields,
  getRecords,
  type KintoneTransport,
  pageById,
  type Refusal,
  refusalProblem,
  sendRead,
  uploadFile,
  write,
} from "../../../main/kintone-client/index.ts";
import { type Fault, type FaultProxy, startFaultProxy } from "../../support/fault-proxy.ts";
import { type KintoneFixture, startKintoneFixture } from "../../support/store-fixture.ts";

type Transport = KintoneTransport & { dispose(): Promise<void> };

let kintone: KintoneFixture;
let proxy: FaultProxy;
let client: Transport;

beforeAll(async () => {
  kintone = await startKintoneFixture();
  proxy = await startFaultProxy(kintone.port);
  client = kintone.transport(proxy.port);
});
afterEach(() => proxy.clear());
afterAll(async () => {
  await client.dispose();
  await proxy.dispose();
  await kintone.dispose();
});

let made = 0;
const body = (key = `KEY:${++made}`) => ({
  record_key: { value: key },
  record_type: { value: "NETWORK_LOCK" },
});
const add = (record = body()) => write({ kind: "addRecord", app: kintone.apps.state, record });
const any = (): boolean => true;
const refusal = (answer: { readonly kind: string }): Refusal => {
  if (answer.kind !== "refused") throw new Error(answer.kind);
  return answer as Refusal;
};
const html = "<html>maintenance</html>";

describe("well-formed answers (kintone-rest §6, §9)", () => {
  it("gives refs of every kind of write, batches in order", async () => {
    const { state } = kintone.apps;
    const one = await client.send(add());
    const many = await client.send(write({ kind: "addRecords", app: state, records: [body(), body()] }));
    const id = one.kind === "ok" ? (one.value.refs[0]?.recordId ?? "") : "";
    const other = many.kind === "ok" ? (many.value.refs[1]?.recordId ?? "") : "";
    expect(many).toMatchObject({ kind: "ok", value: { refs: [{ revision: 1 }, { revision: 1 }] } });
    const record = { profile: { value: "prod" } };
    const both = await client.send(
      bulk([
        { kind: "updateRecord", app: state, entry: { id, revision: 1, record } },
        { kind: "updateRecords", app: state, upsert: false, entries: [{ id: other, record }] },
      ]),
    );
    expect(both).toEqual({
      kind: "ok",
      value: [{ refs: [{ recordId: id, revision: 2 }] }, { refs: [{ recordId: other, revision: 2 }] }],
    });
  });

  it("reads forms and apps", async () => {
    const fields = await client.send(getFormFields(kintone.apps.state));
    expect(fields.kind === "ok" && fields.value.record_key?.unique).toBe(true);
    expect(await client.send(getApp(kintone.apps.audit))).toMatchObject({
      kind: "ok",
      value: { appId: String(kintone.apps.audit), spaceId: null },
    });
  });
});

describe("refusals keep code, words and place (kintone-rest §3, §9)", () => {
  it("a stale revision inside a bulk names its sub-request", async () => {
    const { state } = kintone.apps;
    const one = await client.send(add());
    const id = one.kind === "ok" ? (one.value.refs[0]?.recordId ?? "") : "";
    const answer = await client.send(
      bulk([
        { kind: "addRecord", app: state, record: body() },
        { kind: "updateRecord", app: state, entry: { id, revision: 9, record: {} } },
      ]),
    );
    expect(answer).toMatchObject({ kind: "refused", status: 409, code: "GAIA_CO02", bulkIndex: 1 });
  });

  it("a taken key is proven by the unique message of its field, not by CB_VA01 alone (W4)", async () => {
    await client.send(add(body("TAKEN")));
    const taken = refusal(await client.send(add(body("TAKEN"))));
    expect(taken).toMatchObject({ status: 400, code: "CB_VA01", bulkIndex: null });
    expect(duplicateField(taken, ["record_key", "lock_key"])).toBe("record_key");
    const option = { ...body(), record_type: { value: "NO_SUCH_TYPE" } };
    expect(duplicateField(refusal(await client.send(add(option))), ["record_key"])).toBeNull();
  });

  it("a problem says what kintone said, and never a token", async () => {
    const wrong = createKintoneTransport({
      baseUrl: `http://localhost:${kintone.port}`,
      tokens: new Map([[kintone.apps.state, ["SECRETTOKEN"]]]),
    });
    const problem = refusalProblem(refusal(await wrong.send(add())), "write");
    expect(problem).toMatchObject({ code: "STORE_REFUSED", details: { code: "GAIA_IA02" } });
    expect(JSON.stringify(problem)).not.toContain("SECRETTOKEN");
    await expect(wrong.send(getRecords(kintone.apps.audit, ""))).rejects.toMatchObject({
      problem: { code: "CONFIG_ERROR" },
    });
    await wrong.dispose();
  });
});

describe("unknown outcomes (kintone-rest W1, W9; fenced-writes R3)", () => {
  const table: readonly (readonly [string, Fault, object])[] = [
    ["the answer is lost", { kind: "lose-answer" }, { reason: "lost" }],
    ["the request is lost", { kind: "lose-request" }, { reason: "lost" }],
    ["the body is cut", { kind: "cut-body" }, { reason: "unreadable" }],
    ["a 200 is empty", { kind: "replace", status: 200, body: "" }, { reason: "unreadable" }],
    [
      "a 200 is HTML",
      { kind: "replace", status: 200, body: html, type: "text/html" },
      { reason: "unreadable" },
    ],
    ["a revision is missing", { kind: "replace", status: 200, body: '{"id":"1"}' }, { reason: "unreadable" }],
    [
      "ids are numbers",
      { kind: "replace", status: 200, body: '{"id":1,"revision":1}' },
      { reason: "unreadable" },
    ],
    [
      "a gateway page",
      { kind: "answer", status: 502, body: html, type: "text/html" },
      { reason: "server-error", status: 502 },
    ],
    [
      "a 503 without body",
      { kind: "answer", status: 503, body: "" },
      { reason: "server-error", status: 503 },
    ],
    [
      "a legacy 520 with JSON",
      { kind: "answer", status: 520, body: '{"code":"X","message":"m"}' },
      { reason: "server-error", status: 520 },
    ],
    [
      "a 404 page",
      { kind: "answer", status: 404, body: html, type: "text/html" },
      { reason: "unreadable", status: 404 },
    ],
    [
      "a 400 without code",
      { kind: "answer", status: 400, body: "{}" },
      { reason: "unreadable", status: 400 },
    ],
    [
      "results without an error",
      { kind: "answer", status: 400, body: '{"results":[{},{}]}' },
      { reason: "unreadable" },
    ],
  ];
  it.each(table)("when %s, and nothing is repeated", async (_name, fault, expected) => {
    proxy.on(any, fault);
    expect(await client.send(add())).toMatchObject({ kind: "unknown", ...expected });
    expect(proxy.requests()).toHaveLength(1);
  });

  it("no answer in time, and an abort", async () => {
    const go = Promise.withResolvers<void>();
    proxy.on(any, { kind: "first", run: () => go.promise }, 2);
    expect(await client.send(add(), { timeoutMs: 50 })).toMatchObject({ kind: "unknown", reason: "timeout" });
    const stop = new AbortController();
    const sent = client.send(add(), { signal: stop.signal });
    stop.abort();
    expect(await sent).toEqual({ kind: "unknown", reason: "aborted" });
    expect(await client.send(add(), { signal: stop.signal })).toEqual({ kind: "unknown", reason: "aborted" });
    go.resolve();
  });

  it("nobody listens", async () => {
    const closed = await startFaultProxy(kintone.port);
    await closed.dispose();
    const nobody = kintone.transport(closed.port);
    expect(await nobody.send(add())).toMatchObject({
      kind: "unknown",
      reason: "lost",
      detail: "ECONNREFUSED",
      neverLeft: true,
    });
    await nobody.dispose();
  });
});

describe("the connection", () => {
  it("does not follow proxy variables to a loopback server (W9)", async () => {
    const before = process.env.HTTP_PROXY;
    process.env.HTTP_PROXY = "http://127.0.0.1:9";
    try {
      expect((await client.send(add())).kind).toBe("ok");
    } finally {
      if (before === undefined) delete process.env.HTTP_PROXY;
      else process.env.HTTP_PROXY = before;
    }
  });

  it.each(["http://example.com", "ftp://localhost", "not a url"])("refuses the base URL %s", (baseUrl) => {
    expect(() => createKintoneTransport({ baseUrl, tokens: new Map() })).toThrow(/base URL/);
  });

  it("sends a token that serves two apps once (fenced-writes R7)", async () => {
    const { state, audit } = kintone.apps;
    const shared = kintone.tokens.get(state) ?? [];
    const tokens = new Map([
      [state, shared],
      [audit, [...(kintone.tokens.get(audit) ?? []), ...shared]],
    ]);
    const both = createKintoneTransport({ baseUrl: `http://localhost:${kintone.port}`, tokens });
    const invocation = { record_key: { value: "INV:x" }, record_type: { value: "RUN_INVOCATION" } };
    const answer = await both.send(
      bulk([
        { kind: "addRecord", app: state, record: body() },
        { kind: "addRecord", app: audit, record: invocation },
      ]),
    );
    expect(answer.kind).toBe("ok");
    await both.dispose();
  });
});

describe("guest spaces (fenced-writes R8)", () => {
  it("puts the prefix on the outer path and on every inner one", async () => {
    const guests = await startKintoneFixture({ guestSpaceId: 5 });
    const between = await startFaultProxy(guests.port);
    const guest = guests.transport(between.port);
    const { state } = guests.apps;
    expect((await guest.send(bulk([{ kind: "addRecord", app: state, record: body() }]))).kind).toBe("ok");
    const key = await guest.send(
      uploadFile(state, { name: "a", contentType: "text/plain", bytes: new Uint8Array(1) }),
    );
    expect(key.kind).toBe("ok");
    const [sent, upload] = between.requests();
    expect(sent?.path).toBe("/k/guest/5/v1/bulkRequest.json");
    expect(JSON.parse(sent?.body ?? "{}").requests[0].api).toBe("/k/guest/5/v1/record.json");
    expect(upload?.path).toBe("/k/guest/5/v1/file.json");
    await guest.dispose();
    await between.dispose();
    await guests.dispose();
  });
});

describe("files (kintone-rest §11, W9)", () => {
  it("keeps the error code of a refused download", async () => {
    expect(await client.send(downloadFile(kintone.apps.state, "no-such-key"))).toMatchObject({
      kind: "refused",
      status: 404,
      code: "GAIA_BL01",
    });
  });

  it.each([
    ["lost", { kind: "lose-answer" }, { reason: "lost" }],
    ["cut", { kind: "cut-body" }, { reason: "lost" }],
    ["a gateway page", { kind: "answer", status: 502, body: html }, { reason: "server-error", status: 502 }],
  ] as const)("an upload whose answer is %s is unknown", async (_name, fault, expected) => {
    proxy.on(any, fault);
    const file = { name: 'a"b.zip', contentType: "application/zip", bytes: new Uint8Array([1, 2]) };
    expect(await client.send(uploadFile(kintone.apps.state, file))).toMatchObject({
      kind: "unknown",
      ...expected,
    });
  });
});

describe("bounded repeats (kintone-rest W5, W-22)", () => {
  const retry = { attempts: 3, firstDelayMs: 10, maxDelayMs: 15 };
  const waited: number[] = [];
  const deps = () => {
    waited.splice(0, waited.length);
    return { transport: client, retry, sleep: async (ms: number) => void waited.push(ms) };
  };
  const read = () => getRecords(kintone.apps.state, "limit 1");
  const busy: Fault = { kind: "answer", status: 429, body: '{"code":"GAIA_TO04","message":"busy"}' };

  it("repeats a read after a lost answer and after 429, with growing pauses, within its bound", async () => {
    proxy.on(any, { kind: "lose-answer" });
    proxy.on(any, busy);
    expect((await sendRead(deps(), read())).kind).toBe("ok");
    expect(waited).toEqual([10, 15]);
    proxy.on(any, busy, 3);
    expect(await sendRead(deps(), read())).toMatchObject({ kind: "refused", code: "GAIA_TO04" });
    expect(waited).toEqual([10, 15]);
  });

  it("does not repeat a refusal", async () => {
    expect(await sendRead(deps(), getRecords(kintone.apps.state, "nonsense"))).toMatchObject({
      kind: "refused",
    });
    expect(proxy.requests()).toHaveLength(1);
  });

  it("pages by $id and refuses rows that do not ascend (wire-format §4.2)", async () => {
    const source = (order: string) => ({
      app: kintone.apps.state,
      what: "list",
      limit: 2,
      page: (after: string, limit: number) => `$id > ${after} order by $id ${order} limit ${limit}`,
    });
    const ids: number[] = [];
    for await (const rows of pageById(deps(), source("asc"))) ids.push(rows.length);
    expect(ids.length).toBeGreaterThan(2);
    expect(ids.slice(0, -1).every((length) => length === 2)).toBe(true);
    await expect(pageById(deps(), source("desc")).next()).rejects.toMatchObject({
      problem: { code: "RECORD_UNREADABLE" },
    });
  });
});
