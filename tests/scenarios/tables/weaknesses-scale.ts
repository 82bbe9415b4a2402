import { proof } from "../proof.ts";
import type { WeaknessRow } from "./weakness.ts";

/** Scale and poller (orchestration section 11.1, D). */
export const SCALE: readonly WeaknessRow[] = [
  {
    id: "W-10",
    accident: proof(
      "tests/unit/scenarios/peer-rules.test.ts",
      "W-10: one malformed claim ends a cycle that judges all of them at once; each by itself it harms nobody",
    ),
    outcomes: [
      proof(
        "tests/store/orchestrator/poller-settle.test.ts",
        "a START that died before its Run stays ACCEPTED for every cycle; a person's word ends it as STALE",
      ),
      proof(
        "tests/store/orchestrator/poller-review.test.ts",
        "a malformed claim keeps nothing else waiting, and is left as it is (W-10)",
      ),
      proof(
        "tests/store/orchestrator/poller.test.ts",
        "sees what waits behind a page full of what nobody ended (W-10)",
      ),
    ],
  },
  {
    id: "W-12",
    accident: proof(
      "tests/unit/scenarios/peer-rules.test.ts",
      "%s passes the peer's check and fails behind its lock; ours tells it first",
    ),
    outcomes: [proof("tests/unit/main/cli/definitions.test.ts", "a node id the bundle cannot hold (W-12)")],
  },
  {
    id: "W-14",
    accident: proof(
      "tests/store/store/peer-rules.test.ts",
      "W-14: a question without a page loses nodes of a large Run without a word; ours reads them all",
    ),
    outcomes: [
      proof(
        "tests/store/store/peer-rules.test.ts",
        "W-14: a question without a page loses nodes of a large Run without a word; ours reads them all",
      ),
      proof("tests/store/store/capacity.test.ts", "pages by $id past 500 rows, in order"),
    ],
  },
  {
    id: "W-20",
    accident: proof(
      "tests/scenarios/interop/accidents.test.ts",
      "W-20: the peer asks twice for every Run that was ever made; ours asks once for all of them",
    ),
    outcomes: [
      proof(
        "tests/scenarios/orchestrator/status.test.ts",
        "lists its Runs with a number of requests that does not grow with them",
      ),
    ],
  },
  {
    id: "W-32",
    accident: proof(
      "tests/store/orchestrator/poller-settle.test.ts",
      "W-32: asked by revision alone, a late result lies over STALE; the poller's own asks for the state first",
    ),
    outcomes: [
      proof(
        "tests/store/orchestrator/poller.test.ts",
        "never lies over the end somebody else wrote, before its first write or its second (W-32)",
      ),
    ],
  },
  {
    id: "W-33",
    accident: proof(
      "tests/unit/scenarios/peer-rules.test.ts",
      "%s passes the peer's check and fails behind its lock; ours tells it first",
    ),
    outcomes: [
      proof(
        "tests/unit/main/orchestrator/csv/node-files.test.ts",
        "that are too many for the record are refused before the node is RUNNING (W-33)",
      ),
    ],
  },
];
