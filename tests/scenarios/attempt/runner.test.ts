import { describe, expect, it } from "vitest";
import { createRunner, type Runner } from "../../../main/attempt/index.ts";
import { createAttemptBench } from "./support.ts";

const bench = createAttemptBench();
const nothing = { inputs: false, outputs: false };
const runner = (behaviour: string, more = {}): Runner =>
  createRunner(bench().config(behaviour, more), bench().processes);

describe("the runner's read-only commands (execution-contract §2)", () => {
  it("passes the gate of capabilities", async () => {
    const answer = await runner("").capabilities({ inputs: true, outputs: false });
    expect(answer).toMatchObject({ ok: true, value: { ksqlFlowVersion: "0.9.0" } });
  });

  it.each([
    ["exit-1", "KSQL_FLOW_EXIT_MISMATCH"],
    ["not-json", "KSQL_FLOW_INVALID_JSON"],
    ["two-values", "KSQL_FLOW_INVALID_JSON"],
    ["wrong-shape", "KSQL_FLOW_OUTPUT_INVALID"],
    ["odd-feature", "KSQL_FLOW_OUTPUT_INVALID"],
    ["no-contract", "CAPABILITY_CONTRACT_MISSING"],
    ["no-feature", "CAPABILITY_FEATURE_MISSING"],
    ["killed", "KSQL_FLOW_PROCESS_FAILED"],
  ])("refuses a runner that answers %s with %s", async (behaviour, code) => {
    expect(await runner(behaviour).capabilities(nothing)).toMatchObject({ ok: false, error: { code } });
  });

  it("asks for resultCsv only when a node has outputs", async () => {
    expect((await runner("").capabilities(nothing)).ok).toBe(true);
    expect(await runner("").capabilities({ inputs: false, outputs: true })).toMatchObject({
      ok: false,
      error: { code: "CAPABILITY_FEATURE_MISSING", details: { missing: ["resultCsv"] } },
    });
  });

  it("says what the runner said, without the values of its environment", async () => {
    const answer = await runner("exit-1", {
      env: { BEHAVIOUR: "exit-1", SECRET: "s3cret-token-of-kintone" },
    }).capabilities(nothing);
    expect(JSON.stringify(answer)).toContain("token *** is not valid");
    expect(JSON.stringify(answer)).not.toContain("s3cret-token-of-kintone");
  });

  it("tells a runner that cannot be started, and one that was cancelled", async () => {
    const missing = await runner("", { command: "/nonexistent/ksql-flow" }).capabilities(nothing);
    expect(missing).toMatchObject({ ok: false, error: { code: "KSQL_FLOW_PROCESS_FAILED" } });
    const cancelled = await runner("").capabilities(nothing, AbortSignal.abort());
    expect(cancelled).toMatchObject({ ok: false, error: { code: "CANCELLED" } });
  });

  it("tells a command that was stopped while it ran as cancelled, not as a fault of the runner", async () => {
    const abort = new AbortController();
    const running = runner("hang").capabilities(nothing, abort.signal);
    abort.abort();
    expect(await running).toMatchObject({
      ok: false,
      error: { code: "CANCELLED", place: "runner: capabilities" },
    });
  });

  it("describes the profile and gives the canonical JSON that is hashed", async () => {
    const answer = await runner("").describeProfile();
    if (!answer.ok) throw new Error(answer.error.message);
    expect(answer.value.description).toMatchObject({ profile: "本番", timezone: "Asia/Tokyo" });
    expect(answer.value.canonical.startsWith('{"apps":{"LOG":7,"受注":12},"baseUrl":')).toBe(true);
  });

  it("refuses the description of another profile (orchestration N2)", async () => {
    expect(await runner("other-profile").describeProfile()).toMatchObject({
      ok: false,
      error: { code: "PROFILE_DESCRIPTION_INVALID" },
    });
  });

  it("inspects a job by its path", async () => {
    expect(await runner("").inspectJob("/sql/受注 集計.sql")).toMatchObject({
      ok: true,
      value: { jobId: "集計", fileName: "受注 集計.sql", dialect: 1 },
    });
  });
});
