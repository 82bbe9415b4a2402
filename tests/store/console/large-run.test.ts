import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { attemptsPage } from "../../../main/console/api/run-attempts.ts";
import { createRunDetailStore } from "../../../renderer/state/run-detail.ts";
import { type ConsoleFixture, openConsoleOver, value } from "../../support/console-fixture.ts";
import { takeLock } from "../../support/lock-inputs.ts";
import { openScriptedWorkspace, type ScriptedWorkspace } from "../../support/scripted-workspace.ts";
import { freshAttempt, freshInvocation, freshRun, freshState } from "../../support/store-entities.ts";
import { openStore } from "../../support/store-fixture.ts";

const NODES = 450;

let scripted: ScriptedWorkspace;
let opened: ConsoleFixture;
const run = freshRun();
let graphReadings = 0;

beforeAll(async () => {
  scripted = await openScriptedWorkspace();
  const store = openStore(scripted.kintone);
  const session = await takeLock(store);
  const states = Array.from({ length: NODES }, (_, at) => freshState(run.runId, `n${at}`));
  const invocation = freshInvocation(run.runId);
  await session.write([
    { kind: "run.insert", run },
    { kind: "invocation.insert", invocation },
    { kind: "nodeStates.insert", states },
  ]);
  const attempts = states.map((state) => freshAttempt(state, invocation.invocationId));
  for (let at = 0; at < attempts.length; at += 15) {
    const some = attempts.slice(at, at + 15);
    await session.write(some.map((attempt) => ({ kind: "attempt.insert" as const, attempt })));
  }
  await session.release({ status: "SUCCESS", resultCode: "OK" });
  await session.dispose();
  await store.dispose();
  const { workspace } = scripted;
  const readRunGraph: typeof workspace.reads.readRunGraph = (...args) => {
    graphReadings += 1;
    return workspace.reads.readRunGraph(...args);
  };
  opened = await openConsoleOver({ ...workspace, reads: { ...workspace.reads, readRunGraph } });
});

afterAll(async () => {
  await opened.close();
  await scripted.dispose();
});

describe("a Run of many attempts on a page (operator-ux §3.2, U8)", () => {
  it("comes with a first page; the others cost the kintone nothing and stand in the order of the records", async () => {
    const { api } = opened;
    const detail = value(await api.runs.detail({ runId: run.runId }));
    expect(detail.nodes).toHaveLength(NODES);
    expect([detail.attempts.length, detail.attemptTotal]).toEqual([200, NODES]);

    const before = graphReadings;
    const ids = detail.attempts.map(({ recordId }) => Number(recordId));
    let after = detail.attemptsNext;
    while (after !== null) {
      const page = value(await api.runParts.attempts({ runId: run.runId, after }));
      ids.push(...page.attempts.map(({ recordId }) => Number(recordId)));
      after = page.next;
    }
    expect(new Set(ids).size).toBe(NODES);
    expect(ids).toEqual([...ids].sort((left, right) => left - right));
    expect([before > 0, graphReadings - before]).toEqual([true, 0]);
  });

  it("is fetched as far as the open view shows it: nothing more, one node, all", async () => {
    const page = createRunDetailStore({ api: opened.api });
    await page.open(run.runId);
    const shown = (): readonly [number, boolean] => {
      const { list, complete } = page.store.getState().attempts;
      return [list.length, complete];
    };
    expect(shown()).toEqual([200, false]);
    await page.want(run.runId, { kind: "node", nodeId: "n400" });
    expect(shown()).toEqual([201, true]);
    expect(page.store.getState().attempts.list.at(-1)?.nodeId).toBe("n400");
    await page.want(run.runId, { kind: "all" });
    expect(shown()).toEqual([NODES, true]);
    await page.reload();
    expect(shown()).toEqual([NODES, true]);
    page.close();
    expect(shown()).toEqual([0, false]);
  });

  it("ends a page early where messages are long, and never at none", async () => {
    const [state] = [freshState(run.runId, "n")];
    const long = Array.from({ length: 5 }, (_, at) => ({
      ...freshAttempt(state, "invoke_1", { errorMessage: "長".repeat(200_000) }),
      ref: { recordId: String(at + 1), revision: 1 },
    }));
    const first = attemptsPage(long, {});
    expect([first.attempts.length, first.next, first.total]).toEqual([1, "1", 5]);
    expect(attemptsPage(long, { after: "4" }).next).toBeNull();
    expect(attemptsPage(long, { nodeId: "other" })).toEqual({ attempts: [], next: null, total: 0 });
  });
});
