import { describe, expect, it } from "vitest";
import { persist } from "../../../../main/orchestrator/persist.ts";
import type { WriteOutcome } from "../../../../main/store/index.ts";

const problem = { code: "X", message: "x" };
const OUTCOMES: readonly (readonly [WriteOutcome, object])[] = [
  [
    { kind: "applied", refs: [{ recordId: "1", revision: 2 }] },
    { kind: "applied", refs: [{ recordId: "1", revision: 2 }] },
  ],
  [
    { kind: "dead", index: 0, problem },
    { kind: "refused", problem },
  ],
  [
    { kind: "refused", index: null, problem },
    { kind: "refused", problem },
  ],
  [
    { kind: "fence-lost", problem },
    { kind: "interrupted", problem },
  ],
  [
    { kind: "unsettled", problem },
    { kind: "interrupted", problem },
  ],
];

describe("what a write of the walk comes to (orchestration section 3.4, drain loop)", () => {
  it.each(OUTCOMES)("$kind, after one write: the session alone waits", async (outcome, expected) => {
    let writes = 0;
    const write = async (): Promise<WriteOutcome> => {
      writes += 1;
      return outcome;
    };
    expect(await persist({ write }, [])).toEqual(expected);
    expect(writes).toBe(1);
  });
});
