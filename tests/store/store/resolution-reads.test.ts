import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Change, FlowStore } from "../../../main/store/ports.ts";
import type { Resolution } from "../../../shared/domain/model.ts";
import { takeLock } from "../../support/lock-inputs.ts";
import { freshAttempt, freshRun, freshState } from "../../support/store-entities.ts";
import { type KintoneFixture, openStore, startKintoneFixture } from "../../support/store-fixture.ts";

let kintone: KintoneFixture;
let store: FlowStore;
beforeAll(async () => {
  kintone = await startKintoneFixture();
  store = openStore(kintone);
});
afterAll(async () => {
  await store.dispose();
  await kintone.dispose();
});

const wordAbout = (attemptId: string): Resolution => ({
  attemptId,
  outcome: "FAILED",
  resolutionType: "OUTCOME_CONFIRMED",
  reason: "looked at the data",
  evidenceRef: "INC-1",
  stopConfirmedBy: "ops2",
  stopEvidenceRef: "ps",
  servicePrincipal: "svc",
  requestedBy: "ops1",
  approvedBy: null,
  resolvedAt: "2026-09-01T00:00:00.000Z",
});

/** A Run of one node with that many Attempts; behind them `strangers` words about others, then one about the last. */
async function runOf(attempts: number, strangers: number) {
  const session = await takeLock(store);
  const run = freshRun();
  const state = freshState(run.runId, "a");
  const made = Array.from({ length: attempts }, (_, at) =>
    freshAttempt(state, "invoke_1", { attemptNo: at + 1, status: "FAILED", resultCode: "SQL_ERROR" }),
  );
  const last = made.at(-1)?.attemptId ?? "";
  const words = Array.from({ length: strangers }, (_, at) =>
    wordAbout(`attempt_of_others_${run.runId}_${at}`),
  );
  const changes: readonly Change[] = [
    { kind: "run.insert", run },
    ...made.map((attempt): Change => ({ kind: "attempt.insert", attempt })),
    ...[...words, wordAbout(last)].map((resolution): Change => ({ kind: "resolution.insert", resolution })),
  ];
  expect(await session.write(changes)).toMatchObject({ kind: "applied" });
  await session.dispose();
  return { runId: run.runId, last };
}

describe("Resolutions of one Run's Attempts (orchestration W-14, wire-format §7 no. 1)", () => {
  it.each([
    // State and audit app once each, and what the Resolutions take.
    { what: "few Attempts: one list", attempts: 3, strangers: 2, requests: 3 },
    { what: "many Attempts: one page behind the first", attempts: 250, strangers: 2, requests: 3 },
    {
      what: "many words of others behind it: the lists after all",
      attempts: 101,
      strangers: 600,
      requests: 6,
    },
  ])("$what", async ({ attempts, strangers, requests }) => {
    const { runId, last } = await runOf(attempts, strangers);
    kintone.seen.clear();
    const graph = await store.readRunGraph(runId);
    expect(kintone.seen.list()).toHaveLength(requests);
    expect(graph.attempts).toHaveLength(attempts);
    expect(graph.resolutions.map(({ attemptId }) => attemptId)).toEqual([last]);
  });
});
