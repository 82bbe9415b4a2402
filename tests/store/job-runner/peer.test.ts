import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ExecutionResultJson } from "../../../shared/contract/index.ts";
import { installPeerRunner } from "../../support/peer-runner/index.ts";
import { type LogRecord, type RunnerFixture, startRunnerFixture } from "./fixture.ts";
import type { Ended } from "./launch.ts";

let folder = "";
let peer = "";
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "flownet-peer-"));
  peer = await installPeerRunner(folder);
}, 180_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let fixture: RunnerFixture;
beforeEach(async () => {
  fixture = await startRunnerFixture({ delayMs: 5, rights: ["view", "add"] });
  fixture.addOrders([{ 注文番号: { value: "A-1" } }, { 注文番号: { value: "A-2" } }]);
});
afterEach(() => fixture.dispose());

interface Compared {
  readonly code: number | null;
  readonly result: Readonly<Record<string, unknown>>;
  readonly record: LogRecord | null;
}

/** What two runs of one job may differ in: ids, times, the engine's name, and the words of an error. */
function comparable(ended: Ended, record: LogRecord | null): Compared {
  const { result } = ended;
  if (result === null) throw new Error(`no result: ${ended.stderr}`);
  const { executionId, attemptId, startedAt, finishedAt, durationMs, engineVersion, ...same } = result;
  const shapes = {
    executionId: executionId.length,
    attemptId: attemptId.length,
    startedAt: startedAt === null ? null : /\.000Z$/.test(startedAt),
    finishedAt: /T.*\.\d{3}Z$/.test(finishedAt),
    durationMs: typeof durationMs,
    engineVersion: typeof engineVersion,
  };
  const error = result.error === null ? null : { ...result.error, message: typeof result.error.message };
  return {
    code: ended.code,
    result: { keys: Object.keys(result), ...same, ...shapes, error },
    record: record === null ? null : comparableRecord(record, result),
  };
}

const TIMES = ["started_at", "finished_at", "runner_execution_started_at"];
const OWN = ["$id", "レコード番号", "作成日時", "更新日時", "$revision", "duration_sec"];

function comparableRecord(
  record: LogRecord,
  result: Pick<ExecutionResultJson, "attemptId" | "executionId">,
): LogRecord {
  const shown = Object.entries(record)
    .filter(([code]) => !OWN.includes(code))
    .map(([code, value]) => {
      if (TIMES.includes(code)) return [code, /T\d{2}:\d{2}:00Z$/.test(value) ? "a minute" : value];
      if (code === "attempt_id") return [code, value === result.attemptId ? "the attempt" : value];
      if (code === "batch_id" || code === "execution_id") {
        return [code, value === result.executionId ? "the execution" : value];
      }
      if (code === "ksql_version") return [code, value.replace(/ engine .*/, " engine")];
      // Ours also names what a violation kept from running; the published one says nothing of it.
      if (code === "log_detail") return [code, value.replace(/\n#\d+ \w+ skipped \(assertion\).*/g, "")];
      return code === "error_message" ? [code, value === "" ? "" : "said"] : [code, value];
    });
  return Object.fromEntries(shown);
}

async function both(sql: string, prepare: () => void = () => undefined) {
  const job = fixture.writeJob(sql);
  const compared: Compared[] = [];
  for (const run of [{ cli: peer }, {}]) {
    prepare();
    const before = (await fixture.jobRecords()).length;
    const ended = await fixture.start(job, { ...run, attemptId: `attempt_${compared.length}` }).ended;
    const records = await fixture.jobRecords();
    compared.push(comparable(ended, records.length > before ? (records[0] ?? null) : null));
  }
  const [theirs, ours] = compared;
  if (theirs === undefined || ours === undefined) throw new Error("both runners were started");
  return { theirs, ours };
}

/** Ours reads the form of every app a job names before it takes the lock (execution-contract §13 W7). */
const plusForms = (theirs: Compared, forms: number): Compared => ({
  ...theirs,
  result: { ...theirs.result, apiCalls: Number(theirs.result.apiCalls) + forms },
  record:
    theirs.record === null
      ? null
      : { ...theirs.record, api_calls: String(Number(theirs.record.api_calls) + forms) },
});

describe("a drop-in for the published runner 0.9.0 (execution-contract §5, §6)", () => {
  it("success without an app: the same result, the same JOB record, the same calls", async () => {
    const { theirs, ours } = await both("ASSERT 1 = 1, 'never';");
    expect(theirs.code).toBe(0);
    expect(theirs.record?.status).toBe("SUCCESS");
    expect(ours).toEqual(theirs);
  });

  it("success over records: the same counts, one form more", async () => {
    const { theirs, ours } = await both(
      "ASSERT (SELECT COUNT(*) FROM LAPP_注文) = 2, 'two';\nSELECT COUNT(*) FROM LAPP_注文;",
    );
    expect(theirs.result).toMatchObject({ resultCode: "OK", readCount: 4 });
    expect(ours).toEqual(plusForms(theirs, 1));
  });

  it("EXIT ends NO_DATA", async () => {
    const { theirs, ours } = await both("EXIT SUCCESS IF 1 = 1, 'nothing to do';\nASSERT 1 = 2, 'never';");
    expect(theirs.result).toMatchObject({ resultCode: "NO_DATA", exitCode: 0 });
    expect(ours).toEqual(theirs);
  });

  it("a violated ASSERT ends ABORTED with exit 2", async () => {
    const { theirs, ours } = await both(
      "ASSERT (SELECT COUNT(*) FROM LAPP_注文) = 3, 'three';\nASSERT 1 = 1, 'x';",
    );
    expect(theirs.code).toBe(2);
    expect(theirs.result.resultCode).toBe("ASSERT_FAILED");
    expect(ours).toEqual(plusForms(theirs, 1));
  });

  it("writes are counted alike, chunk by chunk", async () => {
    const rows = Array.from({ length: 130 }, (_, index) => `('N-${index}')`).join(", ");
    const job = fixture.writeJob(`INSERT INTO LAPP_注文 (備考) VALUES ${rows};`);
    const theirs = comparable(await fixture.start(job, { attemptId: "attempt_1", cli: peer }).ended, null);
    const [theirRecord] = await fixture.jobRecords();
    const ours = comparable(await fixture.runHere(job, { attemptId: "attempt_1" }), null);
    const [ourRecord] = await fixture.jobRecords();
    const counts = {
      writtenCount: 130,
      deletedCount: 0,
      lastSuccessfulChunkNo: 2,
      lastWrittenKey: "chunk:2",
    };
    expect(theirs.result).toMatchObject({ resultCode: "OK", ...counts });
    // Ours reads the form, and the last $id before an insert, by which a lost answer is settled.
    const { apiCalls: _ours, ...written } = ours.result;
    const { apiCalls: _theirs, ...expected } = theirs.result;
    expect(written).toEqual(expected);
    const chunks = fixture.events().filter(({ event }) => event === "write_chunk");
    const lines = chunks.map(({ ts: _ts, batchId: _batch, executionId: _execution, ...line }) => line);
    const [one, two, three, four] = lines.sort((a, b) => Number(a.chunk) - Number(b.chunk));
    expect(lines).toHaveLength(4);
    expect([two, four]).toEqual([one, three]);
    for (const field of ["written_count", "deleted_count", "last_written_key", "status", "job_key_done"]) {
      expect([field, ourRecord?.[field]]).toEqual([field, theirRecord?.[field]]);
    }
  });

  it("a job that runs already is LOCK_CONFLICT with exit 5 and leaves the holder's record alone", async () => {
    fixture.insertJobRecord({
      record_type: { value: "JOB" },
      status: { value: "RUNNING" },
      batch_id: { value: "somebody" },
      job_key: { value: "prod:job" },
      started_at: { value: new Date().toISOString() },
    });
    const { theirs, ours } = await both("ASSERT 1 = 1, 'x';");
    expect(theirs.code).toBe(5);
    expect(theirs.result.resultCode).toBe("LOCK_CONFLICT");
    expect(ours).toEqual(theirs);
    expect(await fixture.jobRecords()).toMatchObject([{ status: "RUNNING", batch_id: "somebody" }]);
  });

  it("a script that cannot be read is VALIDATION_ERROR with exit 1 and no record", async () => {
    const { theirs, ours } = await both("SELEKT 1;");
    expect(theirs.result).toMatchObject({ resultCode: "VALIDATION_ERROR", error: { code: "KSQL1202" } });
    expect(theirs.code).toBe(1);
    expect(ours).toEqual(theirs);
  });

  it("another job than the expected one is VALIDATION_ERROR", async () => {
    const job = fixture.writeJob("ASSERT 1 = 1, 'x';");
    const compare = async (cli: Readonly<Record<string, string>>) => {
      const ended = await fixture.start(job, { ...cli, attemptId: "attempt_1", expectedJobId: "other" })
        .ended;
      return comparable(ended, null);
    };
    expect(await compare({})).toEqual(await compare({ cli: peer }));
  });

  it.each([
    ["an unknown flag", ["--colour", "red"]],
    ["a dry run", ["--dry-run"]],
    ["a call for help", ["--help"]],
    ["a source without a hash", ["--import-csv", "x=/in/x.csv"]],
    ["two unnamed exports", ["--export-csv", "/o/a.csv", "--export-csv", "/o/b.csv"]],
  ])("%s is VALIDATION_ERROR with a result and nothing started", async (_what, extra) => {
    const job = fixture.writeJob("ASSERT 1 = 1, 'x';");
    const run = { attemptId: "attempt_1", extra };
    const theirs = comparable(await fixture.start(job, { ...run, cli: peer }).ended, null);
    const ours = comparable(await fixture.runHere(job, run), null);
    expect(theirs).toMatchObject({ code: 1, result: { resultCode: "VALIDATION_ERROR" } });
    const code = (compared: Compared) => ({ ...compared, result: { ...compared.result, error: "one" } });
    expect(code(ours)).toEqual(code(theirs));
    expect(fixture.arrivals).toEqual([]);
  });

  it("a cancel ends CANCELLED with exit 3 and releases the key", async () => {
    const job = fixture.writeJob("SELECT COUNT(*) FROM LAPP_注文;\n".repeat(19));
    const compared: Compared[] = [];
    for (const run of [{ cli: peer }, {}]) {
      const reads = () => fixture.arrivals.filter(({ path }) => path.endsWith("records.json")).length;
      const from = reads();
      const started = fixture.start(job, { ...run, attemptId: `attempt_${compared.length}` });
      await fixture.arrived(() => reads() >= from + 5);
      started.child.kill("SIGTERM");
      const ended = await started.ended;
      expect((await fixture.jobRecords())[0]).toMatchObject({ status: "CANCELLED", job_key: "" });
      compared.push(comparable(ended, null));
    }
    const counts = { readCount: "some", apiCalls: "some" };
    const [theirs, ours] = compared.map(({ code, result }) => ({ code, result: { ...result, ...counts } }));
    expect(theirs).toMatchObject({ code: 3, result: { status: "CANCELLED", error: { code: "CANCELLED" } } });
    expect(ours).toEqual(theirs);
  });
});

describe("the machine commands of the published runner (execution-contract §2)", () => {
  const env = () => ({ ORDERS_TOKEN: fixture.token, LOG_TOKEN: fixture.logToken });
  const where = () => ["--profile", "prod", "--config", join(fixture.folder, "ksql.config.json"), "--json"];
  const ask = async (args: readonly string[]) => {
    const theirs = await fixture.command(args, env(), peer);
    const ours = await fixture.commandHere(args);
    expect([ours.code, ours.stdout.split("\n").length]).toEqual([
      theirs.code,
      theirs.stdout.split("\n").length,
    ]);
    return { theirs, ours };
  };

  it("describe a profile byte by byte alike", async () => {
    const { theirs, ours } = await ask(["describe-profile", ...where()]);
    expect(JSON.parse(theirs.stdout)).toMatchObject({ kind: "PROFILE_DESCRIPTION", logApp: { name: "log" } });
    expect(ours.stdout).toBe(theirs.stdout);
  });

  it("tell the same capabilities, key by key", async () => {
    const { theirs, ours } = await ask(["capabilities", "--json"]);
    const shape = (text: string) => {
      const { engineVersion, ...value } = JSON.parse(text);
      return { ...value, engine: typeof engineVersion, features: { ...value.features, resultCsv: true } };
    };
    expect(Object.keys(JSON.parse(ours.stdout))).toEqual(Object.keys(JSON.parse(theirs.stdout)));
    expect(shape(ours.stdout)).toEqual(shape(theirs.stdout));
  });

  it("inspect a job alike", async () => {
    const job = fixture.writeJob("ASSERT (SELECT COUNT(*) FROM LAPP_注文) = 2, 'two';");
    const { theirs, ours } = await ask(["inspect-job", "-f", job, ...where()]);
    expect(JSON.parse(theirs.stdout)).toMatchObject({ kind: "JOB_INSPECTION", statementCount: 1 });
    expect(ours.stdout).toBe(theirs.stdout);
  });

  it("inspect and force a lock alike", async () => {
    const hold = () =>
      fixture.insertJobRecord({
        record_type: { value: "JOB" },
        status: { value: "RUNNING" },
        batch_id: { value: "somebody" },
        job_key: { value: "prod:job" },
        started_at: { value: "2026-04-01T00:00:00Z" },
      });
    const times = (text: string) => text.replaceAll(/"[^"]*T[^"]*\.\d{3}Z"/g, '"now"');
    hold();
    const inspected = await ask(["inspect-lock", "--job-key", "prod:job", ...where()]);
    expect(inspected.theirs.stdout).toContain('"locked":true');
    expect(times(inspected.ours.stdout)).toBe(times(inspected.theirs.stdout));
    const reason = ["--reason", "r", "--confirmed-by", "c", "--evidence-ref", "file:///e"];
    const force = ["force-unlock-job", "--job-key", "prod:job", ...reason, ...where()];
    const theirs = await fixture.command(force, env(), peer);
    hold();
    const ours = await fixture.commandHere(force);
    const ids = (text: string) => times(text).replace(/"recordId":"\d+"/, '"recordId":"1"');
    expect(ids(ours.stdout)).toBe(ids(theirs.stdout));
    const [second, first] = await fixture.jobRecords();
    const kept = ({ log_detail = "", ...record }: LogRecord) => ({
      ...comparableRecord(record, { attemptId: "", executionId: "" }),
      log_detail: log_detail.replace(/"executedAt":"[^"]*"/, ""),
    });
    if (first === undefined || second === undefined) throw new Error("both locks were forced");
    expect(kept(second)).toEqual(kept(first));
  });
});
