import { proof } from "../proof.ts";
import type { WeaknessRow } from "./weakness.ts";

/** Uncertainty that need not exist (orchestration section 11.1, B). */
export const UNCERTAIN: readonly WeaknessRow[] = [
  {
    id: "W-02",
    accident: proof(
      "tests/store/store/peer-rules.test.ts",
      "W-02: a beat is never told by its own time, which comes back cut to the minute; by token and revision it is",
    ),
    outcomes: [
      proof("tests/store/store/heartbeat.test.ts", "survives a lost beat without losing the fence (W-02)"),
      proof(
        "tests/store/store/peer-rules.test.ts",
        "W-02: a beat is never told by its own time, which comes back cut to the minute; by token and revision it is",
      ),
    ],
  },
  {
    id: "W-03",
    accident: proof(
      "tests/unit/scenarios/peer-rules.test.ts",
      "W-03: the JOB log alone calls a living child UNKNOWN; the process table keeps the question open",
    ),
    outcomes: [
      proof(
        "tests/scenarios/acceptance/weaknesses.test.ts",
        "W-03: a child that outlives its orchestrator is shown, never called UNKNOWN while it may still write",
      ),
    ],
  },
  {
    id: "W-04",
    accident: proof(
      "tests/unit/scenarios/peer-rules.test.ts",
      "W-04: no JOB log means UNKNOWN to the peer; without a start marker nothing can have run",
    ),
    outcomes: [
      proof(
        "tests/scenarios/orchestrator/resume.test.ts",
        "an Attempt without start marker and JOB log never ran: its node waits again (W-04)",
      ),
    ],
  },
  {
    id: "W-09",
    accident: proof(
      "tests/unit/scenarios/peer-rules.test.ts",
      "W-09: a reset over an orphan leaves two running Attempts of one node, which nothing repairs",
    ),
    outcomes: [
      proof(
        "tests/scenarios/orchestrator/resume.test.ts",
        "an orphan nobody knows the end of becomes UNKNOWN, and is adjudicated before a rerun resets it (W-09)",
      ),
    ],
  },
  {
    id: "W-11",
    accident:
      "a stop kills at once on Windows: a foreign runner is asked by Ctrl+Break there (docs/windows-checklist.md, 1), ours by its control pipe",
    outcomes: [
      proof(
        "tests/scenarios/process/stop.test.ts",
        "asks a listener over the control pipe and sends it no signal",
      ),
    ],
  },
  {
    id: "W-17",
    accident: proof(
      "tests/unit/shared/domain/attempt-verdict.test.ts",
      "compared as if it had started, a job refused before its read is UNKNOWN; ours waits or fails by its code (W-17)",
    ),
    outcomes: [
      proof("tests/unit/shared/domain/attempt-verdict.test.ts", "nothing is compared before the start (W2)"),
      proof(
        "tests/deep/orchestrator/csv-peer.test.ts",
        "a job that was refused before it read its file leaves a record the peer goes on from (W-17)",
      ),
    ],
  },
  {
    id: "W-17b",
    accident: proof(
      "tests/unit/scenarios/peer-rules.test.ts",
      "W-17b: the files of a failed node lie over its error; the JOB log still has it",
    ),
    outcomes: [
      proof(
        "tests/unit/scenarios/peer-rules.test.ts",
        "W-17b: the files of a failed node lie over its error; the JOB log still has it",
      ),
    ],
  },
  {
    id: "W-22",
    accident: proof(
      "tests/store/store/peer-rules.test.ts",
      "W-22: one bad gateway fails an upload that is sent once; ours repeats it",
    ),
    outcomes: [
      proof(
        "tests/store/kintone-client/transport.test.ts",
        "repeats a read after a lost answer and after 429, with growing pauses, within its bound",
      ),
      proof(
        "tests/store/store/peer-rules.test.ts",
        "W-22: one bad gateway fails an upload that is sent once; ours repeats it",
      ),
    ],
  },
  {
    id: "W-23",
    accident: proof(
      "tests/scenarios/interop/accidents.test.ts",
      "W-23: before there is a Run the peer inspects every job at once and renews no lease; ours four, and beats",
    ),
    outcomes: [
      proof(
        "tests/scenarios/orchestrator/lease.test.ts",
        "is renewed before there is a Run: while the jobs are inspected (W-23)",
      ),
    ],
  },
  {
    id: "W-25",
    accident: proof(
      "tests/unit/scenarios/peer-rules.test.ts",
      "W-25: a parent with its child's own limit may end it first; with a margin the child always tells its end",
    ),
    outcomes: [
      proof(
        "tests/scenarios/attempt/lifecycle.test.ts",
        "stops a child at the runner's limit plus the margin (W-25)",
      ),
    ],
  },
  {
    id: "W-27",
    accident: proof(
      "tests/store/store/peer-rules.test.ts",
      "W-27: a release that does not wait for a beat on its way meets a revision the beat has used up",
    ),
    outcomes: [
      proof(
        "tests/store/store/heartbeat.test.ts",
        "a release waits for the beat in flight and then succeeds (W-27)",
      ),
    ],
  },
];
