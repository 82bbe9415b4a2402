import { describe, expect, it } from "vitest";
import { jobUnlockEnd } from "../../../../../main/console/job-locks/carry.ts";
import { evidenceUri } from "../../../../../main/console/job-locks/evidence-uri.ts";
import { jobsOf } from "../../../../../main/console/job-locks/job-list.ts";
import type { Network } from "../../../../../shared/api/index.ts";
import type { LockRecoveryOutcome } from "../../../../../shared/contract/index.ts";

const HASH = "a".repeat(64);

describe("evidence as the URI the runner asks for (execution-contract §2.5)", () => {
  it.each([
    ["https://example.com/incident/1", [], "https://example.com/incident/1"],
    [" file:///evidence/1.txt ", [], "file:///evidence/1.txt"],
    ["C:\\evidence\\1.txt", [], "flownet-evidence:text=C%3A%5Cevidence%5C1.txt"],
    ["止まったことを見た", [], `flownet-evidence:text=${encodeURIComponent("止まったことを見た")}`],
    ["", [HASH], `flownet-evidence:sha256=${HASH}`],
    ["https://example.com/1", [HASH], `flownet-evidence:sha256=${HASH}&text=https%3A%2F%2Fexample.com%2F1`],
  ])("%j with %j", (text, hashes, expected) => {
    const uri = evidenceUri(text, hashes);
    expect(uri).toBe(expected);
    expect(URL.canParse(uri)).toBe(true);
  });
});

const network = (networkId: string, jobs: Readonly<Record<string, string>>, broken = false): Network => ({
  networkId,
  appStart: true,
  naming: "explicit",
  nodes: Object.entries(jobs).map(([id, jobId], at) => ({
    order: at + 1,
    id,
    jobId,
    idempotent: true,
    dependsOn: [],
  })),
  problems: broken ? [{ code: "NETWORK_INVALID", message: "m" }] : [],
});

describe("the jobs of the known networks (execution-contract §7.1)", () => {
  it("names each job once with every node that runs it, by code point", () => {
    const { jobs } = jobsOf(
      [network("b", { two: "load", one: "Load" }), network("a", { x: "load" })],
      "prod",
    );
    expect(jobs.map(({ jobId, jobKey, nodes }) => [jobId, jobKey, nodes])).toEqual([
      ["Load", "prod:Load", [{ networkId: "b", nodeId: "one" }]],
      [
        "load",
        "prod:load",
        [
          { networkId: "b", nodeId: "two" },
          { networkId: "a", nodeId: "x" },
        ],
      ],
    ]);
  });

  it("says of a job without a key why, and of a network without nodes that its jobs are missing", () => {
    const { jobs, unreadable } = jobsOf(
      [network("a", { x: "a:b", y: "z".repeat(64) }), network("gone", {}, true)],
      "prod",
    );
    expect(jobs.map(({ jobKey, problem }) => [jobKey, problem?.code])).toEqual([
      [null, "CONFIG_ERROR"],
      [null, "CONFIG_ERROR"],
    ]);
    expect(unreadable.map(({ networkId }) => networkId)).toEqual(["gone"]);
  });
});

describe("how a release of a job lock ended (execution-contract §2.5, operator-ux D8)", () => {
  const result = (outcome: LockRecoveryOutcome) => ({
    kind: "LOCK_RECOVERY_RESULT" as const,
    formatVersion: 1 as const,
    jobKey: "prod:load",
    recordId: outcome === "NOT_FOUND" ? null : "7",
    outcome,
    before: outcome === "NOT_FOUND" ? null : { batchId: "b", startedAt: null, host: "HOST-A" },
    executedAt: "2026-09-05T05:03:20.000Z",
  });

  it.each([
    ["RELEASED", "done", null],
    ["NOT_FOUND", "done", null],
    ["NOT_RUNNING", "done", null],
    ["CONFLICT", "refused", "JOB_LOCK_CONFLICT"],
    ["UNCONFIRMED", "uncertain", "JOB_LOCK_UNCONFIRMED"],
  ] as const)("%s is %s", (outcome, state, problem) => {
    const end = jobUnlockEnd({
      ok: true,
      value: { result: result(outcome), eventId: "job_unlock_1", auditProblem: null },
    });
    expect(end).toMatchObject({ state, resultCode: `JOB_LOCK_${outcome}` });
    expect(end.detail).toMatchObject({ outcome, audit: "RECORDED", eventId: "job_unlock_1" });
    expect(end.problem?.code ?? null).toBe(problem);
  });

  it("keeps a release apart from the audit that is missing", () => {
    const auditProblem = { code: "STORE_UNREACHABLE", message: "m" };
    const end = jobUnlockEnd({
      ok: true,
      value: { result: result("RELEASED"), eventId: null, auditProblem },
    });
    expect(end).toMatchObject({ state: "done", problem: auditProblem, detail: { audit: "PENDING" } });
  });

  it("is open when the runner gave no answer", () => {
    const error = { code: "JOB_UNLOCK_UNCONFIRMED", message: "m" };
    expect(jobUnlockEnd({ ok: false, error })).toEqual({
      state: "uncertain",
      resultCode: "JOB_UNLOCK_UNCONFIRMED",
      problem: error,
    });
  });
});
