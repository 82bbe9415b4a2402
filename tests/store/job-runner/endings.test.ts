import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createStopControl } from "../../../main/job-runner/run/stop.ts";
import { type FaultProxy, type ProxiedRequest, startFaultProxy } from "../../support/fault-proxy.ts";
import { type RunnerFixture, startRunnerFixture } from "./fixture.ts";

let fixture: RunnerFixture;
let proxy: FaultProxy;
beforeEach(async () => {
  fixture = await startRunnerFixture({ rights: ["view", "add", "edit"] });
  proxy = await startFaultProxy(fixture.port);
  fixture.writeConfig(undefined, proxy.port);
});
afterEach(async () => {
  await proxy.dispose();
  await fixture.dispose();
});

const isWrite = ({ method, path }: ProxiedRequest) => method === "POST" && path.endsWith("/records.json");
const isRead = ({ method, query }: ProxiedRequest) => method === "GET" && query.startsWith("$id > 0");
const refusal = (status: number, code: string) =>
  ({ kind: "answer", status, body: JSON.stringify({ code, id: "x", message: "no" }) }) as const;

describe("rare endings (execution-contract §5.3, §9)", () => {
  it("an error together with a cancel is CANCELLED, and the error stays in the event log", async () => {
    const stop = createStopControl();
    proxy.on(isWrite, { ...refusal(403, "GAIA_NO01"), run: async () => stop.requestCancel() });
    const sql = fixture.writeJob("INSERT INTO LAPP_注文 (注文番号) VALUES ('A-1');");
    const ended = await fixture.runHere(sql, { stop });
    expect(ended.result).toMatchObject({ resultCode: "CANCELLED", exitCode: 3, writtenCount: 0 });
    expect(fixture.events().find(({ event }) => event === "cancelled_with_error")).toMatchObject({
      error: { code: "KINTONE_HTTP_403" },
    });
    expect((await fixture.jobRecords())[0]).toMatchObject({ status: "CANCELLED", job_key: "" });
  });

  it("a job lock that somebody else released stops the job: INTERNAL_ERROR, LOCK_LOST", async () => {
    const stop = createStopControl();
    proxy.on(isRead, { kind: "first", run: async () => stop.loseLock() });
    const ended = await fixture.runHere(fixture.writeJob("SELECT 注文番号 FROM LAPP_注文; SELECT 1;"), {
      stop,
    });
    expect(ended.result).toMatchObject({ resultCode: "INTERNAL_ERROR", error: { code: "LOCK_LOST" } });
    expect((await fixture.jobRecords())[0]?.log_detail).not.toContain("#2");
  });

  it("an unknown token, which kintone tells by 400 GAIA_IA02, is AUTH_ERROR", async () => {
    const isForm = ({ path }: ProxiedRequest) => path.endsWith("/form/fields.json");
    // The log app's form is read first.
    proxy.on(isForm, { kind: "first", run: async () => undefined });
    proxy.on(isForm, refusal(400, "GAIA_IA02"));
    const ended = await fixture.runHere(fixture.writeJob("SELECT 注文番号 FROM LAPP_注文;"));
    expect(ended.result).toMatchObject({
      resultCode: "AUTH_ERROR",
      executionStarted: false,
      error: { category: "AUTH", code: "KINTONE_HTTP_400" },
    });
  });

  it("an export whose table was dropped again: SQL_ERROR, no file", async () => {
    const sql = fixture.writeJob("CREATE TEMP TABLE r AS SELECT 1 AS a; DROP TEMP TABLE r; SELECT 1;");
    const ended = await fixture.runHere(sql, {
      extra: ["--export-csv", `r=${join(fixture.folder, "r.csv")}`],
    });
    expect(ended.result).toMatchObject({
      resultCode: "SQL_ERROR",
      output_files: [],
      error: { code: "ExportSinkNotMaterializedError" },
    });
  });
});
