import { describe, expect, it } from "vitest";
import { type DoubtDeps, listDoubts, locateAttempt } from "../../../../../main/console/unknown/doubts.ts";
import type { Attempt, NodeState, Stored } from "../../../../../shared/domain/model.ts";
import { code, value } from "../../../../support/console-fixture.ts";
import { row } from "../../../../support/run-rows.ts";
import { freshAttempt, freshState } from "../../../../support/store-entities.ts";

const RUNS = 130;
const minute = (at: number): string => new Date(Date.UTC(2026, 8, 1) + at * 60_000).toISOString();
const stored = <T>(entity: T, at: number): Stored<T> => ({
  ...entity,
  ref: { recordId: String(at + 1), revision: 1 },
});

/** Runs of two nodes that nobody knows the end of, the first Run waiting the longest; `asked`: Attempts of each question. */
function doubtful() {
  const rows = Array.from({ length: RUNS }, (_, at) =>
    row({ runId: `run-${at}`, businessKey: `k@${at}`, status: "UNKNOWN" }),
  );
  const nodes = rows.flatMap(({ runId }, at) => ["a", "b"].map((nodeId) => doubtfulNode(runId, nodeId, at)));
  const last = nodes.map((state, at) =>
    stored(freshAttempt(state, "invoke_1", { attemptNo: 2, resultCode: "NO_EXECUTION_RESULT" }), at),
  );
  const asked: number[] = [];
  const deps: DoubtDeps = {
    live: { rows: async () => ({ rows, readAt: minute(0) }) },
    reads: {
      listNodeStatesOfRuns: async (runIds) =>
        new Map(runIds.map((runId) => [runId, nodes.filter((state) => state.runId === runId)])),
      async listAttemptsByNumber(wanted) {
        asked.push(wanted.length);
        const names = new Set(wanted.map(nameOf));
        return last.filter((each) => names.has(nameOf(each)));
      },
    },
  };
  return { deps, asked, last };
}

const nameOf = ({ runId, nodeId, attemptNo }: Pick<Attempt, "runId" | "nodeId" | "attemptNo">): string =>
  `${runId} ${nodeId} ${attemptNo}`;

const doubtfulNode = (runId: string, nodeId: string, at: number): Stored<NodeState> =>
  stored(
    freshState(runId, nodeId, {
      status: "UNKNOWN",
      latestAttemptNo: 2,
      activeAttemptId: null,
      statusReason: null,
      finishedAt: minute(at),
    }),
    at,
  );

describe("the list of what nobody knows the end of (screens, 結果不明)", () => {
  it("knows the last attempt of every entry it tells, and counts the Runs it does not", async () => {
    const { deps, asked } = doubtful();
    const { doubts, total, runsLeft } = await listDoubts(deps, 201);
    expect([doubts.length, total, runsLeft]).toEqual([201, 260, 29]);
    expect(doubts.filter(({ attemptId, code }) => attemptId === null || code === null)).toEqual([]);
    expect([doubts[0]?.runId, doubts.at(-1)?.runId]).toEqual(["run-0", "run-100"]);
    // One question for all of them, however many Runs they are of (operator-ux U2).
    expect(asked).toEqual([201]);
  });

  it("tells all of them where it is asked for as many", async () => {
    const { doubts, total, runsLeft } = await listDoubts(doubtful().deps, 2_000);
    expect([doubts.length, total, runsLeft]).toEqual([260, 260, 0]);
  });

  it("finds an attempt beyond those that are shown at first", async () => {
    const { deps, last } = doubtful();
    const wanted = last.at(-1);
    expect(value(await locateAttempt(deps, wanted?.attemptId ?? ""))).toEqual({
      runId: "run-129",
      nodeId: "b",
    });
    expect(code(await locateAttempt(deps, "attempt_nobody"))).toBe("RECORD_NOT_FOUND");
  });
});
