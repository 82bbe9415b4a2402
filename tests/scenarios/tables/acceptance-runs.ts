import { proof } from "../proof.ts";
import type { AcceptanceRow } from "./acceptance-row.ts";

/** Scenarios 1 to 19: Runs, recovery, hold (orchestration section 10, m5 to m8). */
export const RUNS: readonly AcceptanceRow[] = [
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
];
