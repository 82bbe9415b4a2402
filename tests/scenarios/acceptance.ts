import { type Proof, proof } from "./proof.ts";

/** One acceptance scenario of orchestration section 10, and what proves it. */
export interface AcceptanceRow {
  readonly no: number;
  readonly name: string;
  /** Tests of `npm test`; empty only where `outside` says what proves it instead. */
  readonly proofs: readonly Proof[];
  /** Proven outside `npm test`: a text that stands in a file, and why. */
  readonly outside?: { readonly file: string; readonly text: string; readonly why: string };
}

/** All of them, in their order. */
export const ACCEPTANCE: readonly AcceptanceRow[] = [
  {
    no: 1,
    name: "m5-serial-success",
    proofs: [
      proof(
        "tests/scenarios/acceptance/m5.test.ts",
        "m5-serial-success: three nodes one after the other, each with its Attempt and its JOB log",
      ),
    ],
  },
  {
    no: 2,
    name: "m5-mid-failure",
    proofs: [
      proof(
        "tests/scenarios/acceptance/m5.test.ts",
        "m5-mid-failure, m5-resume, m7-01: the failure blocks what follows; a resume runs the stored SQL, not the repaired file",
      ),
    ],
  },
  {
    no: 3,
    name: "m5-resume",
    proofs: [
      proof(
        "tests/scenarios/acceptance/m5.test.ts",
        "m5-mid-failure, m5-resume, m7-01: the failure blocks what follows; a resume runs the stored SQL, not the repaired file",
      ),
    ],
  },
  {
    no: 4,
    name: "m5-lock-conflict",
    proofs: [
      proof(
        "tests/scenarios/acceptance/m5.test.ts",
        "m5-lock-conflict: a job lock that another process holds defers the node and what joins it",
      ),
    ],
  },
  {
    no: 5,
    name: "m5-kill-unknown",
    proofs: [
      proof(
        "tests/scenarios/acceptance/m6.test.ts",
        "m5-kill-unknown, m6-02: n1 is UNKNOWN and keeps its marker, what is independent succeeds, what joins is blocked",
      ),
    ],
  },
  {
    no: 6,
    name: "m6-01-resume-identity",
    proofs: [
      proof(
        "tests/scenarios/acceptance/m6.test.ts",
        "m6-01: the same Run, one Invocation more, no new Attempt for what succeeded, RESUME in the text",
      ),
    ],
  },
  {
    no: 7,
    name: "m6-02-unknown-isolation",
    proofs: [
      proof(
        "tests/scenarios/acceptance/m6.test.ts",
        "m5-kill-unknown, m6-02: n1 is UNKNOWN and keeps its marker, what is independent succeeds, what joins is blocked",
      ),
    ],
  },
  {
    no: 8,
    name: "m6-03-nonidem-no-auto-rerun",
    proofs: [
      proof(
        "tests/scenarios/acceptance/m6.test.ts",
        "m6-03: a resume leaves it alone; a second person's word ends it; then the rest runs",
      ),
    ],
  },
  {
    no: 9,
    name: "m6-04-force-unlock-drill",
    proofs: [
      proof(
        "tests/scenarios/cli/recovery.test.ts",
        "refuses too early and for a wrong owner, releases, adjudicates, resolves and resumes",
      ),
    ],
  },
  {
    no: 10,
    name: "m6-05-status-readonly",
    proofs: [
      proof(
        "tests/scenarios/acceptance/m6.test.ts",
        "m6-05: on a failed, a running and a killed Run no revision moves and no token is shown",
      ),
    ],
  },
  {
    no: 11,
    name: "m6-06-cloudrun-failclosed",
    proofs: [
      proof(
        "tests/scenarios/acceptance/m6.test.ts",
        "m6-06: another form, no token and an unknown method are refused, each with its own words",
      ),
    ],
  },
  {
    no: 12,
    name: "m7-01-acceptance-gaps",
    proofs: [
      proof(
        "tests/scenarios/acceptance/m7.test.ts",
        "m7-01: Attempts are made in stable order, with rising record ids, and all succeed",
      ),
      proof(
        "tests/scenarios/acceptance/m5.test.ts",
        "m5-mid-failure, m5-resume, m7-01: the failure blocks what follows; a resume runs the stored SQL, not the repaired file",
      ),
    ],
  },
  {
    no: 13,
    name: "m7-02-kintone-drain",
    proofs: [
      proof(
        "tests/scenarios/acceptance/m7.test.ts",
        "m7-02: restored in time, the result is saved, no other node is started, and the Run says why",
      ),
      proof(
        "tests/scenarios/acceptance/m7.test.ts",
        "m7-02: never restored, nothing more is written; force-unlock and a resume adjudicate n1 by its JOB log",
      ),
    ],
  },
  {
    no: 14,
    name: "m7-03-control-plane-api-calls",
    proofs: [
      proof(
        "tests/scenarios/acceptance/m7.test.ts",
        "m7-03: a Run of three nodes, a status and an unlock without a lock keep to their numbers of requests",
      ),
    ],
  },
  {
    no: 15,
    name: "m7-04-windows-sigbreak",
    proofs: [],
    outside: {
      file: "docs/windows-checklist.md",
      text: "scenario 15",
      why: "only Windows has the console event; walked through before a release",
    },
  },
  {
    no: 16,
    name: "m7-05-rerun-nonidem",
    proofs: [
      proof(
        "tests/scenarios/acceptance/m7.test.ts",
        "m7-05: lets a node go that never ran, and refuses one that did; nothing is written then",
      ),
    ],
  },
  {
    no: 17,
    name: "m8-01-cancel-hold",
    proofs: [
      proof(
        "tests/scenarios/acceptance/m8.test.ts",
        "m8-01: STOP takes hold after the running node, keeps resumes out, and RELEASE starts nothing",
      ),
    ],
  },
  {
    no: 18,
    name: "m8-02-retry-brake",
    proofs: [
      proof(
        "tests/scenarios/acceptance/m8.test.ts",
        "m8-02: the third equal failure brakes the node for resumes; RERUN_FROM goes through",
      ),
    ],
  },
  {
    no: 19,
    name: "m8-03-activity",
    proofs: [
      proof(
        "tests/scenarios/acceptance/m8.test.ts",
        "m8-03: LIVE while its owner lives, INTERRUPTED beyond its lease, STOPPED under a hold, nothing once ended",
      ),
    ],
  },
  {
    no: 20,
    name: "p2-01-01-rerun",
    proofs: [
      proof(
        "tests/scenarios/acceptance/p2-01.test.ts",
        "p2-01-01: the Run goes on, its Invocation names the request, the message names the Invocation",
      ),
    ],
  },
  {
    no: 21,
    name: "p2-01-02-rerun-from",
    proofs: [
      proof(
        "tests/scenarios/acceptance/p2-01.test.ts",
        "p2-01-02: from a node nothing before it runs; a braked Run says so and goes on from its node",
      ),
    ],
  },
  {
    no: 22,
    name: "p2-01-03-rejections",
    proofs: [
      proof(
        "tests/scenarios/acceptance/p2-01.test.ts",
        "p2-01-03, p2-01-04: missing, succeeded, live and held; STOP, RELEASE, RERUN in turn",
      ),
    ],
  },
  {
    no: 23,
    name: "p2-01-04-stop-release",
    proofs: [
      proof(
        "tests/scenarios/acceptance/p2-01.test.ts",
        "p2-01-03, p2-01-04: missing, succeeded, live and held; STOP, RELEASE, RERUN in turn",
      ),
    ],
  },
  {
    no: 24,
    name: "p2-01-05-claim-stale",
    proofs: [
      proof(
        "tests/scenarios/acceptance/p2-01.test.ts",
        "p2-01-05: of two pollers one takes it; its beats keep it from being stale; a silent claim is ended, never executed",
      ),
    ],
  },
  {
    no: 25,
    name: "p2-01-06-get-failclosed",
    proofs: [
      proof(
        "tests/scenarios/acceptance/p2-01.test.ts",
        "p2-01-06: a poller whose token is refused ends with 1, writes nothing, starts nothing, and shows neither token nor reason",
      ),
    ],
  },
  {
    no: 26,
    name: "p2-11-01-explicit",
    proofs: [
      proof(
        "tests/scenarios/acceptance/p2-11.test.ts",
        "p2-11-01, p2-11-02: with a key, with a period, and with a key of its own for a period",
      ),
    ],
  },
  {
    no: 27,
    name: "p2-11-02-scheduled",
    proofs: [
      proof(
        "tests/scenarios/acceptance/p2-11.test.ts",
        "p2-11-01, p2-11-02: with a key, with a period, and with a key of its own for a period",
      ),
    ],
  },
  {
    no: 28,
    name: "p2-11-03-duplicates",
    proofs: [
      proof(
        "tests/scenarios/acceptance/p2-11.test.ts",
        "p2-11-03: done is NOOP, unfinished is refused by name, of two simultaneous STARTs one makes the Run",
      ),
    ],
  },
  {
    no: 29,
    name: "p2-11-04-rejections",
    proofs: [
      proof(
        "tests/scenarios/acceptance/p2-11.test.ts",
        "p2-11-04: each for its reason, with nothing written; a bad time is refused by kintone itself",
      ),
    ],
  },
  {
    no: 30,
    name: "p2-11-05-stale-regression",
    proofs: [
      proof(
        "tests/scenarios/acceptance/p2-11.test.ts",
        "p2-11-05: a stale START adds nothing; a new one is NOOP; RERUN needs no app_start; the schedule goes on",
      ),
    ],
  },
  {
    no: 31,
    name: "p2-16-01-cancel-before-claim",
    proofs: [
      proof(
        "tests/scenarios/acceptance/p2-16.test.ts",
        "p2-16-01: a flagged START and a flagged invalid one are CANCELLED, unclaimed, with nothing written",
      ),
    ],
  },
  {
    no: 32,
    name: "p2-16-02-cancel-claim-race",
    proofs: [
      proof(
        "tests/scenarios/acceptance/p2-16.test.ts",
        "p2-16-02: the tick before the claim wins, the tick behind it is refused with 409, and is never CANCELLED",
      ),
    ],
  },
  {
    no: 33,
    name: "p2-16-03-terminal-hold-release",
    proofs: [
      proof(
        "tests/scenarios/acceptance/p2-16.test.ts",
        "p2-16-03: STOP during a node that then fails leaves a held FAILED Run; RELEASE starts nothing; RERUN goes on",
      ),
    ],
  },
  {
    no: 34,
    name: "p2-16-04-close",
    proofs: [
      proof(
        "tests/scenarios/acceptance/p2-16.test.ts",
        "p2-16-04: closes a failed Run once with its audit; refuses what succeeded or runs; a closed Run stays as it is",
      ),
    ],
  },
  {
    no: 35,
    name: "p2-16-05-close-rerun-race",
    proofs: [
      proof(
        "tests/scenarios/acceptance/p2-16.test.ts",
        "p2-16-05: a resume that holds the lock keeps CLOSE out, stopped right behind its heartbeat; later it closes",
      ),
    ],
  },
  {
    no: 36,
    name: "csv1-01-import-run",
    proofs: [
      proof(
        "tests/scenarios/orchestrator/csv.test.ts",
        "csv1-01: a UTF-8 file is imported; the record tells hash, bytes, rows and encoding, no path and no cell (scenario 36)",
      ),
    ],
  },
  {
    no: 37,
    name: "csv1-02-mutated-resume",
    proofs: [
      proof(
        "tests/scenarios/orchestrator/csv.test.ts",
        "csv1-02: after a failure the same file converges, another is refused before anything is written (scenario 37)",
      ),
    ],
  },
  {
    no: 38,
    name: "csv1-03-rejections",
    proofs: [
      proof(
        "tests/scenarios/orchestrator/csv.test.ts",
        "csv1-03: a missing file, a folder that is a link, a link in a file's place: terminal Attempts without a start marker",
      ),
      proof(
        "tests/scenarios/orchestrator/refusals.test.ts",
        "a network with CSV inputs needs importCsv and a folder for them (scenario 38)",
      ),
    ],
  },
  {
    no: 39,
    name: "csv1-04-10k-measure",
    proofs: [],
    outside: {
      file: "tests/bench/csv.ts",
      text: "scenario 39",
      why: "it records time and memory, which a test must not judge",
    },
  },
  {
    no: 40,
    name: "csv2-01-export-run",
    proofs: [
      proof(
        "tests/scenarios/orchestrator/csv.test.ts",
        "csv2-01: import, transform, export and gate; the file is what its receipt says (scenario 40)",
      ),
    ],
  },
  {
    no: 41,
    name: "csv2-02-roundtrip",
    proofs: [
      proof(
        "tests/scenarios/orchestrator/csv.test.ts",
        "csv2-02, csv2-03: what was exported before a gate failed is whole, feeds an import and the vendor's command, and comes out the same again (scenarios 41 and 42)",
      ),
      proof(
        "tests/scenarios/orchestrator/csv.test.ts",
        "csv2-02, csv2-04: a file goes out and comes in; a failure leaves the old file and no temporary one",
      ),
    ],
  },
  {
    no: 42,
    name: "csv2-03-clikintone",
    proofs: [
      proof(
        "tests/scenarios/orchestrator/csv.test.ts",
        "csv2-02, csv2-03: what was exported before a gate failed is whole, feeds an import and the vendor's command, and comes out the same again (scenarios 41 and 42)",
      ),
    ],
  },
  {
    no: 43,
    name: "csv2-04-failclosed",
    proofs: [
      proof(
        "tests/scenarios/orchestrator/csv.test.ts",
        "csv2-02, csv2-04: a file goes out and comes in; a failure leaves the old file and no temporary one",
      ),
    ],
  },
];
