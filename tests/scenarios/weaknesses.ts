import { type Proof, proof } from "./proof.ts";

/** A weakness of kSQL-FlowNet 1.0.0 (orchestration section 11.1): where its accident is seen, and what ours comes to. */
export interface WeaknessRow {
  readonly id: string;
  /** The test that meets the accident, or in words where to play it would cost too much. */
  readonly accident: Proof | string;
  readonly outcomes: readonly Proof[];
  /** What of the improvement is not there. */
  readonly open?: string;
}

/** All of them, in their order. */
export const WEAKNESSES: readonly WeaknessRow[] = [
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
    id: "W-10",
    accident: proof(
      "tests/unit/scenarios/peer-rules.test.ts",
      "W-10: one malformed claim ends a cycle that judges all of them at once; each by itself it harms nobody",
    ),
    outcomes: [
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
    id: "W-12",
    accident: proof(
      "tests/unit/scenarios/peer-rules.test.ts",
      "%s passes the peer's check and fails behind its lock; ours tells it first",
    ),
    outcomes: [proof("tests/unit/main/cli/definitions.test.ts", "a node id the bundle cannot hold (W-12)")],
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
    id: "W-15",
    accident:
      "the peer inserts its Invocation (R5) before it compares the profile (R7), so a refusal leaves one behind",
    outcomes: [
      proof(
        "tests/scenarios/orchestrator/resume.test.ts",
        "is refused while the Run is held, and by a profile that reads elsewhere; no Invocation is left (W-15, W-18)",
      ),
    ],
  },
  {
    id: "W-16",
    accident: "the peer tells the failed release in place of the reason",
    outcomes: [
      proof("tests/unit/main/orchestrator/give-back.test.ts", "tells the lock that stayed behind beside it"),
      proof("tests/scenarios/orchestrator/interrupted-start.test.ts", "after a NOOP is told beside it"),
    ],
  },
  {
    id: "W-17",
    accident: "the peer wants every receipt of a job that never read its inputs",
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
    id: "W-20",
    accident: "the peer asks twice for every Run that was ever made",
    outcomes: [
      proof(
        "tests/scenarios/orchestrator/status.test.ts",
        "lists its Runs with a number of requests that does not grow with them",
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
    accident: "the peer beats only once its scheduler runs, and inspects every job at once",
    outcomes: [
      proof(
        "tests/scenarios/orchestrator/lease.test.ts",
        "is renewed before there is a Run: while the jobs are inspected (W-23)",
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
    id: "W-26",
    accident: "the peer shows a lock only in the detail of a Run, and here there is none",
    outcomes: [
      proof(
        "tests/scenarios/acceptance/weaknesses.test.ts",
        "W-13, W-26: a lock without any Run is shown with what a force-unlock needs, and an archive's owner can be judged",
      ),
    ],
  },
  {
    id: "W-27",
    accident: "the peer releases while its beat is on its way, and the beat uses the revision up",
    outcomes: [
      proof(
        "tests/store/store/heartbeat.test.ts",
        "a release waits for the beat in flight and then succeeds (W-27)",
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
    accident: "every scheduled resume of a braked Run appends an Invocation, without limit",
    outcomes: [
      proof(
        "tests/scenarios/acceptance/m8.test.ts",
        "m8-02: the third equal failure brakes the node for resumes; RERUN_FROM goes through",
      ),
    ],
    open: "each scheduled resume of a braked Run still adds an Invocation, as scenario 18 wants it; no view collapses them",
  },
  {
    id: "W-32",
    accident: "the second write of a result does not look again and lies over STALE",
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
