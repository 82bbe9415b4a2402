import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type FaultProxy, startFaultProxy } from "../../support/fault-proxy.ts";
import { type RunnerFixture, startRunnerFixture } from "./fixture.ts";

let fixture: RunnerFixture;
let proxy: FaultProxy;
beforeEach(async () => {
  fixture = await startRunnerFixture();
  proxy = await startFaultProxy(fixture.port);
  fixture.writeConfig(() => undefined, proxy.port);
  fixture.addOrders(
    Array.from({ length: 600 }, (_, index) => ({ 注文番号: { value: `A-${index}` }, 金額: { value: "1" } })),
  );
});
afterEach(async () => {
  await proxy.dispose();
  await fixture.dispose();
});

const busy = JSON.stringify({ code: "CB_BU01", id: "x", message: "busy" });
const page = ({ query }: { readonly query: string }): boolean => query.startsWith("$id > ");
const SUM = "ASSERT (SELECT SUM(金額) FROM LAPP_注文) = 600, 'six hundred';";

describe("reading (execution-contract §8, job-dialect §6)", () => {
  it("asks for the fields it names alone, page by page behind the last $id", async () => {
    const ended = await fixture.runHere(fixture.writeJob(SUM));
    expect(ended.result).toMatchObject({ resultCode: "OK", readCount: 600 });
    const queries = proxy
      .requests()
      .filter(page)
      .map(({ query }) => query);
    expect(queries).toEqual([
      "$id > 0 order by $id asc limit 500",
      expect.stringMatching(/^\$id > 500 order by \$id asc limit 500$/),
    ]);
  });

  it("waits as long as Retry-After says and no longer than maxDelayMs, then goes on", async () => {
    proxy.on(page, { kind: "answer", status: 429, body: busy, headers: { "retry-after": "3600" } });
    const ended = await fixture.runHere(fixture.writeJob(SUM));
    expect(ended.result?.resultCode).toBe("OK");
    expect(ended.stderr).toContain("kintone: HTTP 429; attempt 2 of 2 in 0 s");
    expect(proxy.requests().filter(page)).toHaveLength(3);
  });

  it("counts every repetition, and ends with the status when they are used up", async () => {
    proxy.on(page, { kind: "answer", status: 503, body: busy }, 2);
    const ended = await fixture.runHere(fixture.writeJob(SUM));
    expect(ended.code).toBe(3);
    expect(ended.result).toMatchObject({
      resultCode: "API_ERROR",
      error: { category: "API", code: "KINTONE_HTTP_503" },
      readCount: 0,
    });
  });

  it("reports what was read before a page failed, and nothing more", async () => {
    proxy.on(({ query }) => query.startsWith("$id > 500"), { kind: "answer", status: 403, body: busy });
    const ended = await fixture.runHere(fixture.writeJob(SUM));
    expect(ended.result).toMatchObject({
      resultCode: "AUTH_ERROR",
      readCount: 500,
      writtenCount: 0,
      lastSuccessfulChunkNo: null,
      error: { category: "AUTH", code: "KINTONE_HTTP_403" },
    });
    expect((await fixture.jobRecords())[0]).toMatchObject({ status: "FAILED", read_count: "500" });
  });

  it("a form that lost a field under the job is an error, never an empty cell", async () => {
    proxy.on(page, {
      kind: "answer",
      status: 200,
      body: JSON.stringify({ records: [{ $id: { type: "__ID__", value: "1" } }], totalCount: null }),
    });
    const ended = await fixture.runHere(fixture.writeJob(SUM));
    expect(ended.code).toBe(1);
    expect(ended.result).toMatchObject({ resultCode: "SQL_ERROR", error: { code: "ArgumentError" } });
    expect(ended.result?.error?.message).toContain("金額");
  });

  it("half a page is asked for again; records out of order end the job", async () => {
    proxy.on(page, { kind: "cut-body" });
    expect((await fixture.runHere(fixture.writeJob(SUM))).result?.resultCode).toBe("OK");
    const twice = { $id: { type: "__ID__", value: "1" }, 金額: { type: "NUMBER", value: "1" } };
    const body = JSON.stringify({ records: [twice, twice], totalCount: null });
    proxy.on(page, { kind: "answer", status: 200, body });
    const ended = await fixture.runHere(fixture.writeJob(SUM));
    expect(ended.result).toMatchObject({ resultCode: "API_ERROR", error: { code: "API_ERROR" } });
  });
});
