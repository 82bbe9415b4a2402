import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createRunDetailStore } from "../../../../../renderer/state/run-detail.ts";
import type { ConsoleApi, Intent } from "../../../../../shared/api/index.ts";
import { confirmationOf, confirmed, endOf } from "../../../../support/acting-page.ts";
import { code, type EmbeddedConsole, openConsole, value } from "../../../../support/console-fixture.ts";
import { editNodeByHand } from "../../../../support/hand-edit.ts";

const SLOW = 120_000;
const NODE = "amount_gate";
const KEY = "edited@1";

let opened: EmbeddedConsole;
let api: ConsoleApi;
let runId: string;

beforeAll(async () => {
  opened = await openConsole({
    async prepare({ networks, orchestrator }) {
      const definitionPath = networks.find(({ networkId }) => networkId === "failing_assert")?.definitionPath;
      if (definitionPath === undefined) throw new Error("no sample that fails");
      const run = await orchestrator.runNetwork({ definitionPath, businessKey: KEY, requestedBy: "prepare" });
      if (run.runId === null) throw new Error(`no Run was made: ${JSON.stringify(run)}`);
      runId = run.runId;
    },
  });
  api = opened.api;
  value(await api.runs.refresh({}));
}, SLOW);
afterAll(() => opened.close(), SLOW);

const realign = (change: Partial<Extract<Intent, { kind: "realign" }>> = {}): Intent => ({
  kind: "realign",
  runId,
  nodeId: NODE,
  confirmedBy: "佐藤",
  evidenceText: "INC-1: 電話で確認",
  evidenceFiles: [],
  reason: "理由の欄だけが書き換えられたため",
  ...change,
});
const contradictions = async () =>
  value(await api.runs.detail({ runId })).inconsistencies.map((each) => [each.code, each.nodeId]);

describe("taking up a node whose record was edited by hand (orchestration §11.1)", () => {
  it("is refused while nobody edited it", async () => {
    const { plan } = value(await api.acting.plan({ intent: realign() }));
    expect(plan.refusals.map((each) => each.code)).toEqual(["REVISION_NOT_INVERTED"]);
    expect(code(await confirmed(api, realign()))).toBe("REVISION_NOT_INVERTED");
  });

  it("is refused where the edit says what nothing bears out, and writes nothing", async () => {
    await editNodeByHand(opened.workspace, runId, NODE, { status: "SUCCESS" });
    const { plan } = value(await api.acting.plan({ intent: realign() }));
    expect(plan).toMatchObject({ operation: "REALIGN_NODE", available: false, writes: [] });
    expect(plan.refusals.map((each) => each.code)).toEqual(["NODE_RECORDS_CONTRADICT"]);
    await editNodeByHand(opened.workspace, runId, NODE, { status: "FAILED" });
    expect(await contradictions()).toContainEqual(["REVISION_SERIES_INVERTED", NODE]);
  });

  it("is planned as L3: its identifier is Run and node, and only the revision and an audit would be written", async () => {
    const { plan, friction } = value(await api.acting.plan({ intent: realign() }));
    expect(plan).toMatchObject({ danger: "L3", available: true });
    expect(friction).toMatchObject({ identifier: `${KEY}/${NODE}`, armMs: 3_000, secondPerson: false });
    const state = plan.writes.find(({ record }) => record === "nodeState");
    expect(state?.changes.map(({ field }) => field)).toEqual(["revision"]);
    expect(plan.consequences.map(({ name }) => name)).toEqual(["startsNothing", "handEditStays"]);
  });

  it.each([
    ["nobody is named", { confirmedBy: " " }, {}, "EDIT_CONFIRMED_BY_REQUIRED"],
    ["no evidence is given", { evidenceText: "" }, {}, "EVIDENCE_REQUIRED"],
    ["the reason is short", { reason: "ok" }, {}, "REASON_TOO_SHORT"],
    ["the identifier is another", {}, { typed: KEY }, "IDENTIFIER_MISMATCH"],
  ] as const)("is refused where %s", async (_, change, over, expected) => {
    expect(code(await confirmed(api, realign(change), over))).toBe(expected);
  });

  it("sets the revision, and nothing contradicts any more; the history names who made sure", async () => {
    const page = createRunDetailStore({ api });
    await page.open(runId);
    const shown = () => page.store.getState().detail.value?.inconsistencies.length;
    expect(shown()).toBe(1);
    // As a page does: planned while the form is blank, and its words typed since.
    const blank = realign({ confirmedBy: "", evidenceText: "", reason: "" });
    const confirmation = confirmationOf(realign(), value(await api.acting.plan({ intent: blank })));
    value(await api.acting.execute(confirmation));
    const operation = await endOf(api, confirmation.operationId);
    expect(operation).toMatchObject({ kind: "realign", state: "done", runId, nodeId: NODE });
    expect(operation.detail).toMatchObject({ nodeStatus: "FAILED" });
    expect(await contradictions()).toEqual([]);
    // Nothing of the Run's own row changed: its page hears of it by the operation.
    await page.apply({ runs: [], nodes: [], operations: [{ ...operation, endedAt: null }] });
    expect(shown()).toBe(1);
    await page.apply({ runs: [], nodes: [], operations: [operation] });
    expect(shown()).toBe(0);
    const filter = { run: runId, who: "佐藤" };
    const { entries } = value(await api.audit.list({ filter, before: null, limit: 10 }));
    expect(entries).toContainEqual(
      expect.objectContaining({ kind: "action", detail: "realign", nodeId: NODE, confirmedBy: "佐藤" }),
    );
    const { plan } = value(await api.acting.plan({ intent: { kind: "resume", runId, reason: "続ける" } }));
    expect(plan.refusals).toEqual([]);
  });
});
