import { caseOf, holds, resumes, resumesRefused, runs, stage } from "./build.ts";
import type { CaseDefinition, Step } from "./model.ts";

/** Two workers at once: deferred transactions and locks that expire (retry-boundaries §10, cases L and M). */

const SQLITE_BUSY_SNAPSHOT = 517;
const LEASES =
  "CREATE TABLE leases (name TEXT PRIMARY KEY, owner TEXT NOT NULL, expires_at INTEGER NOT NULL)";

const second = { child: "second", role: "second" };
const AFTER_LEASE: readonly Step[] = ["BEGIN IMMEDIATE", "insert effect", "COMMIT", "@committed"];
const AFTER_LEASE_WITH_KEY: readonly Step[] = [
  "BEGIN IMMEDIATE",
  "insert processed",
  "insert effect",
  "COMMIT",
  "@committed",
];

/** The first takes the lease and pauses; the second waits until it has expired and takes it. */
function withLease(rest: readonly Step[]): Readonly<Record<string, readonly Step[]>> {
  return {
    first: ["take the lease", "@lease-taken", "wait for a byte", ...rest],
    second: ["wait until the lease has expired", "take the lease", "@lease-taken", ...rest],
  };
}

export const CONCURRENCY_CASES: readonly CaseDefinition[] = [
  caseOf({
    id: "L",
    folder: "L-deferred-transactions",
    title: {
      en: "two deferred transactions read, then write",
      ja: "遅延トランザクション二つが読んでから書く",
    },
    lesson: {
      en: "Read-then-write needs the write lock first.",
      ja: "読んでから書くには、先に書込ロックが要る。",
    },
    work: {
      worker: [
        ...(["BEGIN", "skip if processed", "@read-absent", "wait for a byte"] as const),
        ...(["insert processed", "insert effect", "COMMIT", "@committed"] as const),
      ],
      again: ["BEGIN IMMEDIATE", "skip if processed", "insert processed", "insert effect", "COMMIT"],
    },
    journalMode: "wal",
    stages: [
      stage(
        "1",
        [
          holds("worker 1", ["read-absent"]),
          holds("worker 2", ["read-absent"]),
          resumes("worker 1", ["committed"]),
          resumesRefused("worker 2", SQLITE_BUSY_SNAPSHOT),
        ],
        [1, 1, 0, 0],
      ),
      stage("2", [runs(["skipped"], { child: "worker 2", role: "again" })], [1, 1, 0, 0]),
    ],
  }),
  caseOf({
    id: "M",
    folder: "M-expired-lock",
    title: { en: "the lock expires while its holder pauses", ja: "保持者が止まる間にロックが期限切れ" },
    lesson: { en: "A lock alone is not a fact.", ja: "ロックだけでは事実にならない。" },
    work: withLease(AFTER_LEASE),
    schema: [LEASES],
    stages: [
      stage(
        "1",
        [
          holds("first", ["lease-taken"], "first"),
          runs(["lease-taken", "committed"], second),
          resumes("first", ["committed"]),
        ],
        [0, 2, 0, 0],
      ),
    ],
  }),
  caseOf({
    id: "M2",
    folder: "M2-expired-lock-and-unique-key",
    title: { en: "as M, and the key is unique", ja: "Mと同じ。ただしキーが一意" },
    lesson: {
      en: "The unique key decides what the expired lock could not.",
      ja: "期限切れのロックが守れないものを、一意キーが守る。",
    },
    work: withLease(AFTER_LEASE_WITH_KEY),
    schema: [LEASES],
    stages: [
      stage(
        "1",
        [
          holds("first", ["lease-taken"], "first"),
          runs(["lease-taken", "committed"], second),
          resumes("first", ["SQLITE_CONSTRAINT_PRIMARYKEY"], 1),
        ],
        [1, 1, 0, 0],
      ),
    ],
  }),
];
