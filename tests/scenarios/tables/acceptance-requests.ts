import { proof } from "../proof.ts";
import type { AcceptanceRow } from "./acceptance-row.ts";

/** Scenarios 20 to 35: requests (orchestration section 10, p2). */
export const REQUESTS: readonly AcceptanceRow[] = [
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
];
