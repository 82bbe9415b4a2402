import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { verifyRetryBoundaries } from "../../../main/drills/index.ts";
import type { JournalMode } from "../../../main/drills/retry-boundaries/cases/model.ts";
import { createScratch, drillWith, readObservations, readResults, type Scratch } from "./support.ts";

let scratch: Scratch;
beforeAll(() => {
  scratch = createScratch();
});
afterAll(() => scratch.dispose());

interface Broken {
  readonly child: string;
  readonly mode: JournalMode;
  readonly childMs?: number;
  readonly stops: {
    readonly case: string;
    readonly stage: string;
    readonly code: string;
    readonly expected?: unknown;
    readonly observed?: unknown;
  };
  readonly completed: number;
}

/** What a broken child does, and where it must be noticed. */
const TABLE: readonly Broken[] = [
  {
    child: "no-end",
    mode: "delete",
    stops: { case: "B", stage: "1", code: "EXIT_CODE_MISMATCH" },
    completed: 1,
  },
  {
    child: "orderly-close",
    mode: "delete",
    stops: { case: "D", stage: "1", code: "JOURNAL_EVIDENCE" },
    completed: 3,
  },
  {
    child: "orderly-close",
    mode: "wal",
    stops: { case: "B", stage: "1", code: "JOURNAL_EVIDENCE" },
    completed: 1,
  },
  {
    child: "wrong-order",
    mode: "delete",
    stops: { case: "B", stage: "1", code: "POINT_MISMATCH" },
    completed: 1,
  },
  {
    child: "lying-order",
    mode: "delete",
    stops: { case: "B", stage: "1", code: "COUNT_MISMATCH" },
    completed: 1,
  },
  {
    child: "double-effect",
    mode: "delete",
    stops: { case: "D", stage: "2", code: "COUNT_MISMATCH", expected: [1, 1, 0], observed: [1, 2, 0] },
    completed: 3,
  },
  {
    child: "swallowed-busy",
    mode: "delete",
    stops: { case: "F", stage: "held", code: "BUSY_NOT_OBSERVED" },
    completed: 5,
  },
  {
    child: "waiting-worker",
    mode: "delete",
    stops: { case: "F", stage: "held", code: "BUSY_NOT_OBSERVED" },
    completed: 5,
  },
  {
    child: "talkative",
    mode: "delete",
    stops: { case: "A", stage: "1", code: "POINT_MISMATCH" },
    completed: 0,
  },
  {
    child: "never-ends",
    mode: "delete",
    childMs: 6_000,
    stops: { case: "B", stage: "1", code: "CHILD_TIMEOUT" },
    completed: 1,
  },
];

describe("a broken child never makes a complete run (retry-boundaries §2, RB-A4 to RB-A6)", () => {
  it.concurrent.each(TABLE)(
    "$child, journal mode $mode: stopped by $stops.code in $stops.case",
    async ({ child, mode, childMs = 30_000, stops, completed }) => {
      const folder = scratch.path(`${child} ${mode}`);
      const { status } = await drillWith(child, folder, { mode, childMs });
      expect(status).toMatchObject({
        status: "STOPPED",
        casesCompleted: completed,
        casesPlanned: 7,
        failure: stops,
      });
      // Everything seen so far is kept, and the folder is sealed like any other.
      const lines = readObservations(folder);
      expect(lines.at(-1)).toMatchObject({ kind: "stopped", failure: stops });
      expect(readResults(folder).status).toEqual(status);
      expect(existsSync(join(folder, "artifact-hashes.json"))).toBe(true);
      // No later case ran, and no child outlived the run.
      expect(lines.filter((line) => line.kind === "case_started")).toHaveLength(completed + 1);
      const count = (kind: string): number => lines.filter((line) => line.kind === kind).length;
      expect(count("child_exited")).toBe(count("child_started"));
      expect(verifyRetryBoundaries(folder)).toMatchObject({ status: "VERIFIED", run: { status: "STOPPED" } });
    },
  );
});
