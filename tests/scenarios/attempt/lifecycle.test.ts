import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Attempts, PreparedAttempt } from "../../../main/attempt/index.ts";
import { createInspector } from "../../../main/process/index.ts";
import { fileAppears } from "../process/support.ts";
import { createAttemptBench, jobLog } from "./support.ts";

const bench = createAttemptBench();
const workFolder = (prepared: PreparedAttempt): string => join(prepared.resultPath, "..", "..");

async function prepare(attempts: Attempts, more = {}): Promise<PreparedAttempt> {
  const prepared = await attempts.prepare(bench().input(more));
  if (!prepared.ok) throw new Error(prepared.error.message);
  return prepared.value;
}

describe("preparing an attempt (fenced-writes R5, execution-contract §4.1)", () => {
  it("gives the arguments in the exact order, a fresh folder and a journalled intent", async () => {
    const { attempts, config, folder, journal } = bench();
    const prepared = await prepare(attempts(config("ok")));
    const { input, resultPath } = prepared;
    expect(prepared.args).toEqual([
      ...["run", "-f", input.sqlPath, "--profile", "本番", "--config", join(folder, "ksql config.json")],
      ...["--as-of", "2026-08-01T09:00:00+09:00", "--result-json", resultPath],
      ...["--correlation-id", input.runId, "--attempt-id", input.attemptId],
      ...["--expected-job-id", "daily-orders"],
    ]);
    expect(resultPath).toBe(join(folder, "work", input.attemptId, "metadata", `${input.attemptId}.json`));
    expect(existsSync(resultPath)).toBe(false);
    const evidence = await journal.evidenceFor(input.attemptId);
    expect(evidence).toMatchObject({ intent: { nodeId: "集計" }, spawned: null, thisHostAndBoot: true });
  });

  it("adds declared inputs and outputs by name", async () => {
    const { attempts, config } = bench();
    const sha256 = "ab".repeat(32);
    const prepared = await prepare(attempts(config("ok")), {
      imports: [{ name: "orders", path: "/in/orders.csv", sha256, bytes: 3 }],
      exports: [{ name: "summary", path: "/out/s.csv" }],
    });
    expect(prepared.args.slice(-6)).toEqual([
      ...["--import-csv", "orders=/in/orders.csv", "--expected-import-sha256", `orders=${sha256}`],
      ...["--export-csv", "summary=/out/s.csv"],
    ]);
  });

  it.each([
    [{ attemptId: "a b" }, "RUN_ARGUMENT_INVALID"],
    [{ jobId: "集計" }, "RUN_ARGUMENT_INVALID"],
    [{ asOf: "2026-08-01" }, "RUN_ARGUMENT_INVALID"],
    [{ attemptId: ".." }, "WORK_FOLDER_UNAVAILABLE"],
    [{ attemptId: "." }, "WORK_FOLDER_UNAVAILABLE"],
  ])("refuses %j as a problem", async (more, code) => {
    const { attempts, config, input } = bench();
    expect(await attempts(config("ok")).prepare(input(more))).toMatchObject({ ok: false, error: { code } });
  });

  it("never works in a folder that exists already (W17)", async () => {
    const { attempts, config, input } = bench();
    const mine = attempts(config("ok"));
    const once = input();
    expect((await mine.prepare(once)).ok).toBe(true);
    expect(await mine.prepare(once)).toMatchObject({ ok: false, error: { code: "WORK_FOLDER_UNAVAILABLE" } });
  });

  it("leaves nothing of an attempt that was prepared and not spawned", async () => {
    const { attempts, config, journal } = bench();
    const mine = attempts(config("ok"));
    const prepared = await prepare(mine);
    await mine.settle(prepared, { stored: false });
    expect(existsSync(workFolder(prepared))).toBe(false);
    expect(await journal.evidenceFor(prepared.input.attemptId)).toMatchObject({
      spawned: null,
      settled: { stored: false },
    });
  });
});

describe("following an attempt (decisions §3)", () => {
  it("journals spawned, exited and settled, and removes the folder once the outcome is stored", async () => {
    const { attempts, config, journal, problems } = bench();
    const mine = attempts(config("ok"));
    const prepared = await prepare(mine);
    const running = await mine.spawn(prepared);
    await running.concluded;
    await mine.settle(prepared, { stored: true });
    const evidence = await journal.evidenceFor(prepared.input.attemptId);
    expect(evidence).toMatchObject({
      spawned: { process: running.identity },
      exited: { exitCode: 0, signal: null, forced: false, launchFailure: null },
      settled: { stored: true },
      mayBeIncomplete: false,
    });
    expect(evidence.exited?.resultSha256).toMatch(/^[0-9a-f]{64}$/);
    expect(existsSync(workFolder(prepared))).toBe(false);
    expect(problems).toEqual([]);
  });

  it("journals a failed launch without a spawned line", async () => {
    const { attempts, config, journal } = bench();
    const mine = attempts(config("ok", { command: "/nonexistent/ksql-flow" }));
    const prepared = await prepare(mine);
    const running = await mine.spawn(prepared);
    expect(running.identity).toBeNull();
    expect(await running.concluded).toMatchObject({ resultCode: "PREPARE_FAILED", nodeStatus: "WAITING" });
    await running.stop();
    const evidence = await journal.evidenceFor(prepared.input.attemptId);
    expect(evidence).toMatchObject({
      spawned: null,
      exited: { launchFailure: "ENOENT", resultSha256: null },
    });
  });

  it("keeps the folder as evidence while the outcome is not in the store", async () => {
    const { attempts, config } = bench();
    const mine = attempts(config("ok"));
    const prepared = await prepare(mine);
    await (await mine.spawn(prepared)).concluded;
    await mine.settle(prepared, { stored: false });
    expect(existsSync(prepared.resultPath)).toBe(true);
  });

  it("keeps the folder while the runner's own log updates wait there (execution-contract §10)", async () => {
    const { attempts, config, problems } = bench();
    const mine = attempts(config("leaves-pending"));
    const prepared = await prepare(mine);
    expect(await (await mine.spawn(prepared)).concluded).toMatchObject({ resultCode: "OK" });
    await mine.settle(prepared, { stored: true });
    expect(problems).toMatchObject([{ code: "JOB_LOG_UPDATES_PENDING" }]);
    expect(existsSync(workFolder(prepared))).toBe(true);
  });

  it("reads an unreadable JOB log again", async () => {
    const { attempts, config } = bench();
    const unreadable = { kind: "unreadable", problem: { code: "STORE_UNREACHABLE", message: "no" } } as const;
    const found = jobLog({ runnerExecutionStartedAt: "2026-08-01T00:00:00Z" });
    const mine = attempts(config("ok"), [unreadable, unreadable, found]);
    const conclusion = await (await mine.spawn(await prepare(mine))).concluded;
    expect(conclusion.runnerExecutionStartedAt).toBe("2026-08-01T00:00:00Z");
  });

  it("runs attempts of one profile side by side, each in its own folder (execution-contract §7.4)", async () => {
    const { attempts, config } = bench();
    const mine = attempts(config("ok"));
    const prepared = await Promise.all([prepare(mine), prepare(mine), prepare(mine)]);
    const running = await Promise.all(prepared.map((one) => mine.spawn(one)));
    const conclusions = await Promise.all(running.map((one) => one.concluded));
    expect(conclusions.map((one) => one.resultCode)).toEqual(["OK", "OK", "OK"]);
    expect(new Set(prepared.map(workFolder)).size).toBe(3);
  });
});

describe("stopping an attempt (orchestration §4.2)", () => {
  it("lets a runner that obeys end as CANCELLED", async () => {
    const { attempts, config, path } = bench();
    const mine = attempts(config("cancels-on-sigterm", { graceMs: 20_000 }));
    const running = await mine.spawn(await prepare(mine));
    await fileAppears(path("ready"));
    await running.stop();
    expect(await running.concluded).toMatchObject({ attemptStatus: "CANCELLED", resultCode: "CANCELLED" });
  });

  it("calls a forced end UNKNOWN even with a valid result on the disk", async () => {
    const { attempts, config, path } = bench();
    const mine = attempts(config("valid-then-ignores-sigterm"));
    const running = await mine.spawn(await prepare(mine));
    await fileAppears(path("ready"));
    await running.stop();
    expect(await running.concluded).toMatchObject({
      attemptStatus: "UNKNOWN",
      resultCode: "FORCED_TERMINATION",
      nodeStatus: "UNKNOWN",
      invocationCode: "FORCED_TERMINATION",
    });
  });

  it("ends the runner's own children with it", async () => {
    const { attempts, config, path } = bench();
    const inspector = createInspector();
    const mine = attempts(config("stubborn-grandchild"));
    const running = await mine.spawn(await prepare(mine));
    await Promise.all([fileAppears(path("ready")), fileAppears(path("grandchild"))]);
    const grandchild = inspector.identify(Number(readFileSync(path("grandchild"), "utf8")));
    if (grandchild === null) throw new Error("the grandchild is not there");
    await running.stop();
    expect((await running.concluded).resultCode).toBe("FORCED_TERMINATION");
    expect(inspector.liveness(grandchild)).toEqual({ kind: "gone" });
  });

  it("stops a child at the runner's limit plus the margin (W-25)", async () => {
    const { attempts, config } = bench();
    const mine = attempts(config("cancels-on-sigterm", { graceMs: 20_000 }), [{ kind: "none" }], 0);
    const running = await mine.spawn(await prepare(mine, { batchTimeoutSec: 2 }));
    expect(await running.concluded).toMatchObject({ attemptStatus: "CANCELLED", resultCode: "CANCELLED" });
  });
});
