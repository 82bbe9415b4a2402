import { existsSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { reconcile } from "../../../shared/domain/index.ts";
import { isBulk } from "../../support/fault-proxy.ts";
import { openScriptedWorkspace } from "../../support/scripted-workspace.ts";
import { benchForTests } from "../../support/test-bench.ts";

/** A shell starts in a few milliseconds; where there is none, a child takes fifty and the network is smaller. */
const SHELL = "/bin/sh";
const QUICK = existsSync(SHELL);
const CHAIN = QUICK ? 120 : 30;
const FAN = QUICK ? 118 : 28;
const NODES = CHAIN + FAN + 2;
const INSTANT = path.resolve(import.meta.dirname, "..", "..", "fixtures", "children", "instant-runner.sh");

const bench = benchForTests(QUICK ? { program: SHELL, file: INSTANT } : undefined);

describe(`a network of ${NODES} nodes (fenced-writes section 4, orchestration W-14, W-23)`, () => {
  it("a chain, a fan and their join run to SUCCESS, each child once, within the budget", async () => {
    const chain = Array.from({ length: CHAIN }, (_, index) => ({
      id: `c${index}`,
      dependsOn: index === 0 ? [] : [`c${index - 1}`],
    }));
    const fan = Array.from({ length: FAN }, (_, index) => ({ id: `f${index}`, dependsOn: ["root"] }));
    const join = { id: "join", dependsOn: [`c${CHAIN - 1}`, ...fan.map(({ id }) => id)] };
    const file = await bench.network("big", [{ id: "root" }, ...chain, ...fan, join]);
    const result = await bench.run(file);
    expect(result).toMatchObject({ aggregateStatus: "SUCCESS", invocationResultCode: "OK", problem: null });
    const seen = bench.kintone.seen.list();
    const counted = seen.reduce((sum, { subRequests }) => sum + Math.max(1, subRequests), 0);
    expect(seen.length).toBeLessThanOrEqual(8 + 4 * NODES);
    expect(counted).toBeLessThanOrEqual(13 + Math.ceil(NODES / 100) + 8 * NODES);
    const starts = await bench.starts("big");
    expect(new Set(starts.map(({ jobId }) => jobId)).size).toBe(NODES);
    expect(starts).toHaveLength(NODES);
    const graph = await bench.graph(result);
    expect(graph.attempts).toHaveLength(NODES);
    expect(graph.run && reconcile({ ...graph, run: graph.run })).toEqual([]);
  });
});

describe("one failure before many nodes (fenced-writes R9)", () => {
  it("blocks them all in as many requests as needed, each within twenty sub-requests", async () => {
    const blocked = 40;
    const fan = Array.from({ length: blocked }, (_, index) => ({ id: `b${index}`, dependsOn: ["root"] }));
    const scripted = await openScriptedWorkspace();
    try {
      const file = await scripted.network("wide", [
        { id: "root", script: { ending: "SQL_ERROR" } },
        ...fan,
        { id: "free" },
      ]);
      const result = await scripted.run(file);
      expect(result).toMatchObject({
        aggregateStatus: "FAILED",
        invocationResultCode: "NODE_FAILED_OR_BLOCKED",
      });
      const sizes = scripted.proxy
        .requests()
        .filter(isBulk)
        .map(({ body }): number => JSON.parse(body).requests.length);
      expect(Math.max(...sizes)).toBeLessThanOrEqual(20);
      const graph = await scripted.graph(result);
      expect(graph.states.filter(({ status }) => status === "BLOCKED")).toHaveLength(blocked);
      expect(graph.states.find(({ nodeId }) => nodeId === "free")?.status).toBe("SUCCESS");
      expect(graph.run && reconcile({ ...graph, run: graph.run })).toEqual([]);
      expect(graph.invocations[0]?.blockedNodeIds).toEqual(fan.map(({ id }) => id));
    } finally {
      await scripted.dispose();
    }
  });
});
