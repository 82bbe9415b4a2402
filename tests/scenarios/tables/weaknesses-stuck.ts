import { proof } from "../proof.ts";
import type { WeaknessRow } from "./weakness.ts";

/** Runs that become stuck for ever (orchestration section 11.1, A). */
export const STUCK: readonly WeaknessRow[] = [
  {
    id: "W-01",
    accident: proof(
      "tests/scenarios/acceptance/weaknesses.test.ts",
      "W-01: an Attempt without its Node State stops the peer for ever; ours withdraws it and goes on",
    ),
    outcomes: [
      proof(
        "tests/scenarios/acceptance/weaknesses.test.ts",
        "W-01: an Attempt without its Node State stops the peer for ever; ours withdraws it and goes on",
      ),
      proof(
        "tests/unit/shared/domain/resume-plan.test.ts",
        "an Attempt inserted by a process that died before it started anything is withdrawn (W-01)",
      ),
    ],
  },
  {
    id: "W-05",
    accident: proof(
      "tests/scenarios/acceptance/weaknesses.test.ts",
      "W-05: a retried Resolution stops the peer at the next resume; ours keeps it as history",
    ),
    outcomes: [
      proof(
        "tests/scenarios/acceptance/weaknesses.test.ts",
        "W-05: a retried Resolution stops the peer at the next resume; ours keeps it as history",
      ),
    ],
  },
  {
    id: "W-08",
    accident: proof(
      "tests/scenarios/acceptance/weaknesses.test.ts",
      "W-08, W-08b, W-21: a second, differing word would be a contradiction for ever; ours refuses it, and the Run's status is new at once",
    ),
    outcomes: [
      proof(
        "tests/scenarios/acceptance/weaknesses.test.ts",
        "W-08, W-08b, W-21: a second, differing word would be a contradiction for ever; ours refuses it, and the Run's status is new at once",
      ),
      proof(
        "tests/unit/shared/domain/resolve-node.test.ts",
        "a second, differing word about one attempt is refused; the same one again is not (W-08)",
      ),
    ],
  },
  {
    id: "W-08b",
    accident: proof(
      "tests/unit/scenarios/peer-rules.test.ts",
      "W-08b: of a node that must not run twice, FAILED leaves CLOSE alone; it is said before",
    ),
    outcomes: [
      proof(
        "tests/scenarios/acceptance/weaknesses.test.ts",
        "W-08, W-08b, W-21: a second, differing word would be a contradiction for ever; ours refuses it, and the Run's status is new at once",
      ),
    ],
  },
  {
    id: "W-24",
    accident: proof(
      "tests/scenarios/acceptance/weaknesses.test.ts",
      "W-24: a withdrawn start that its Node State does not show excludes a node for ever; ours lets it wait and run",
    ),
    outcomes: [
      proof(
        "tests/scenarios/acceptance/weaknesses.test.ts",
        "W-24: a withdrawn start that its Node State does not show excludes a node for ever; ours lets it wait and run",
      ),
      proof(
        "tests/unit/shared/domain/resume-plan.test.ts",
        "a start taken back lets its node wait, also one that must not run twice (W-24)",
      ),
    ],
  },
];
