import { describe, expect, it } from "vitest";
import { createOperations } from "../../../../main/console/api/operations.ts";
import type { RunNetworkInput, RunNetworkResult } from "../../../../main/orchestrator/index.ts";
import type { Operation } from "../../../../shared/api/index.ts";

const END: RunNetworkResult = {
  outcome: "NEW",
  runId: "netrun_1",
  invocationId: "invoke_1",
  aggregateStatus: "SUCCESS",
  invocationResultCode: "OK",
  retryBrakeNodeIds: [],
  blockedRunIds: [],
  problem: null,
  networkId: "net",
  nodes: [],
};
const INPUT: RunNetworkInput = {
  definitionPath: "/net.yaml",
  resumeRunId: "netrun_1",
  requestedBy: "app-request:7:tanaka",
  reason: "again",
};

function operationsOver(run: (input: RunNetworkInput) => Promise<RunNetworkResult>) {
  const told: Operation[] = [];
  const unused = () => Promise.reject(new Error("not asked for"));
  const operations = createOperations({
    orchestrator: { runNetwork: run, validate: unused, plan: unused, status: unused },
    requestedBy: "console",
    nowMs: () => Date.parse("2026-09-01T00:00:00.000Z"),
    changed: (operation) => told.push(operation),
    runEvent: () => undefined,
  });
  return { operations, told };
}

describe("a Run by request in a console (electron-desktop L3)", () => {
  it("is an operation like a start of its own, from its beginning to its end", async () => {
    const { operations, told } = operationsOver(async (input) => {
      input.onEvent?.({ kind: "run-resumed", runId: "netrun_1", networkId: "net", businessKey: "k" });
      return END;
    });
    expect(await operations.follow("net", INPUT)).toBe(END);
    expect(told.map(({ state }) => state)).toEqual(["accepted", "applied", "done"]);
    expect(told[0]).toMatchObject({ endedAt: null, networkId: "net", requestedBy: "app-request:7:tanaka" });
    expect(told[2]).toMatchObject({ runId: "netrun_1", resultCode: "OK", reason: "again" });
    expect(told[2]?.endedAt).not.toBeNull();
  });

  it("that breaks off is uncertain here, and whoever asked hears why", async () => {
    const { operations, told } = operationsOver(() => Promise.reject(new Error("lost")));
    await expect(operations.follow("net", INPUT)).rejects.toThrow("lost");
    expect(told.at(-1)).toMatchObject({ state: "uncertain", endedAt: expect.any(String) });
  });
});
