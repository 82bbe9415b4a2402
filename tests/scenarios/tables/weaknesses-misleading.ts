import { proof } from "../proof.ts";
import type { WeaknessRow } from "./weakness.ts";

/** Misleading or missing information (orchestration section 11.1, C). */
export const MISLEADING: readonly WeaknessRow[] = [
  {
    id: "W-06",
    accident: proof(
      "tests/scenarios/acceptance/weaknesses.test.ts",
      "W-06: a resume of a FAILED Run is seen and can be stopped while its first node runs",
    ),
    outcomes: [
      proof(
        "tests/scenarios/acceptance/weaknesses.test.ts",
        "W-06: a resume of a FAILED Run is seen and can be stopped while its first node runs",
      ),
    ],
  },
  {
    id: "W-07",
    accident: proof(
      "tests/unit/scenarios/peer-rules.test.ts",
      "W-07: a Run that died behind its creation has no word in the peer's list, and one in ours",
    ),
    outcomes: [
      proof(
        "tests/scenarios/orchestrator/status.test.ts",
        "shows a Run whose creation stopped at its own record (W-07)",
      ),
    ],
  },
  {
    id: "W-13",
    accident: proof(
      "tests/unit/scenarios/peer-rules.test.ts",
      "W-13: a bare host name can be asked for no process; every lock of ours names one",
    ),
    outcomes: [
      proof(
        "tests/scenarios/acceptance/weaknesses.test.ts",
        "W-13, W-26: a lock without any Run is shown with what a force-unlock needs, and an archive's owner can be judged",
      ),
    ],
  },
  {
    id: "W-15",
    accident: proof(
      "tests/scenarios/interop/accidents.test.ts",
      "W-15: a refused resume leaves an Invocation that its answer does not name; ours leaves none",
    ),
    outcomes: [
      proof(
        "tests/scenarios/orchestrator/resume.test.ts",
        "is refused while the Run is held, and by a profile that reads elsewhere; no Invocation is left (W-15, W-18)",
      ),
    ],
  },
  {
    id: "W-16",
    accident: proof(
      "tests/scenarios/interop/accidents.test.ts",
      "W-16: an outage that outlasts the lease is told as a failed command; ours tells the outage",
    ),
    outcomes: [
      proof("tests/unit/main/orchestrator/give-back.test.ts", "tells the lock that stayed behind beside it"),
      proof("tests/scenarios/orchestrator/interrupted-start.test.ts", "after a NOOP is told beside it"),
    ],
  },
  {
    id: "W-18",
    accident: proof(
      "tests/unit/scenarios/peer-rules.test.ts",
      "W-18: equal or not is all the peer asks of a profile; a limit is another matter than an app",
    ),
    outcomes: [
      proof(
        "tests/scenarios/orchestrator/resume.test.ts",
        "is refused while the Run is held, and by a profile that reads elsewhere; no Invocation is left (W-15, W-18)",
      ),
      proof(
        "tests/scenarios/orchestrator/resume.test.ts",
        "goes on under the limits it was made with when only those changed, and notes it (W-18)",
      ),
    ],
  },
  {
    id: "W-19",
    accident: proof(
      "tests/unit/shared/domain/operations/decisions.test.ts",
      "a new hold says that it clears the traces of the earlier one (W-19)",
    ),
    outcomes: [
      proof(
        "tests/unit/shared/domain/operations/decisions.test.ts",
        "a new hold says that it clears the traces of the earlier one (W-19)",
      ),
    ],
  },
  {
    id: "W-21",
    accident: proof(
      "tests/scenarios/acceptance/weaknesses.test.ts",
      "W-08, W-08b, W-21: a second, differing word would be a contradiction for ever; ours refuses it, and the Run's status is new at once",
    ),
    outcomes: [
      proof(
        "tests/store/orchestrator/recovery.test.ts",
        "writes Resolution, node and recomputed Run together, and gives the lock back",
      ),
      proof(
        "tests/scenarios/acceptance/weaknesses.test.ts",
        "W-08, W-08b, W-21: a second, differing word would be a contradiction for ever; ours refuses it, and the Run's status is new at once",
      ),
    ],
  },
  {
    id: "W-26",
    accident: proof(
      "tests/scenarios/interop/accidents.test.ts",
      "W-26: a lock without a Run is shown by the peer without what a force-unlock needs; ours says the command",
    ),
    outcomes: [
      proof(
        "tests/scenarios/acceptance/weaknesses.test.ts",
        "W-13, W-26: a lock without any Run is shown with what a force-unlock needs, and an archive's owner can be judged",
      ),
    ],
  },
  {
    id: "W-28",
    accident: proof(
      "tests/scenarios/acceptance/weaknesses.test.ts",
      "W-28: a job that depends on the clock fails the peer under its lock; a dry run names it and writes nothing",
    ),
    outcomes: [
      proof(
        "tests/scenarios/acceptance/weaknesses.test.ts",
        "W-28: a job that depends on the clock fails the peer under its lock; a dry run names it and writes nothing",
      ),
    ],
  },
  {
    id: "W-29",
    accident: proof(
      "tests/unit/scenarios/peer-rules.test.ts",
      "W-29: any refusal of a STOP reads the same in the peer; ours keeps the code in the message",
    ),
    outcomes: [
      proof(
        "tests/unit/scenarios/peer-rules.test.ts",
        "W-29: any refusal of a STOP reads the same in the peer; ours keeps the code in the message",
      ),
    ],
  },
  {
    id: "W-30",
    accident: proof(
      "tests/unit/scenarios/peer-rules.test.ts",
      "W-30: STOPPED is the one word for a Run whose SQL still runs and for one that stands",
    ),
    outcomes: [
      proof(
        "tests/unit/scenarios/peer-rules.test.ts",
        "W-30: STOPPED is the one word for a Run whose SQL still runs and for one that stands",
      ),
    ],
  },
  {
    id: "W-31",
    accident: proof(
      "tests/scenarios/interop/accidents.test.ts",
      "W-31: a schedule that resumes a braked Run makes the peer add an Invocation each time",
    ),
    outcomes: [
      proof(
        "tests/scenarios/orchestrator/repeated-resume.test.ts",
        "braked: every resume by the peer's rule adds an Invocation that says the same; ours names the one that said it",
      ),
      proof(
        "tests/scenarios/acceptance/m8.test.ts",
        "m8-02: the third equal failure brakes the node for resumes; RERUN_FROM goes through",
      ),
    ],
  },
];
