import { proof } from "../proof.ts";
import type { AcceptanceRow } from "./acceptance-row.ts";

/** Scenarios 36 to 43: CSV files (orchestration section 10, csv). */
export const FILES: readonly AcceptanceRow[] = [
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
