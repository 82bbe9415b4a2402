import { caseOf, runs, stage } from "./build.ts";
import type { CaseDefinition, Step } from "./model.ts";

/** How far a key protects: other content, expiry (retry-boundaries §10, cases H and I). */

const INSERT_BOTH: readonly Step[] = [
  "skip if processed",
  "insert processed",
  "insert effect",
  "@before-commit",
  "COMMIT",
  "@committed",
];

/** The key is kept for 24 hours (`child/`); the purge looks two days later. */
const FIRST_DAY = "2026-01-01T00:00:00.000Z";
const THIRD_DAY = "2026-01-03T00:00:00.000Z";
const DONE = ["before-commit", "committed"];
const first = runs(DONE, { input: { now: FIRST_DAY } });
const purge = runs(["purged"], { child: "purge", role: "purge", input: { now: THIRD_DAY } });
const PURGE: readonly Step[] = ["BEGIN IMMEDIATE", "purge expired", "COMMIT", "@purged"];

export const KEY_CASES: readonly CaseDefinition[] = [
  caseOf({
    id: "H",
    folder: "H-other-content",
    title: { en: "the same key with other content", ja: "同じキーで異なる内容" },
    lesson: {
      en: "A key identifies a request only together with its content; neither skip nor apply in silence.",
      ja: "キーは内容と合わせて初めて要求を特定する。黙って飛ばしも適用もしない。",
    },
    work: { worker: ["BEGIN IMMEDIATE", "conflict if other content", ...INSERT_BOTH] },
    schema: [
      "CREATE TABLE conflicts (conflict_id INTEGER PRIMARY KEY, event_id TEXT NOT NULL, content_sha256 TEXT NOT NULL)",
    ],
    queries: { conflict_rows: "SELECT count(*) FROM conflicts" },
    stages: [
      stage("1", [runs(DONE)], [1, 1, 0, 0], { facts: { conflict_rows: 0 } }),
      stage("2", [runs(["CONFLICT"], { input: { content: "Y" } })], [1, 1, 0, 0], {
        facts: { conflict_rows: 1 },
      }),
    ],
  }),
  caseOf({
    id: "H2",
    folder: "H2-no-content-check",
    title: { en: "other content, and nobody looks", ja: "異なる内容を確かめない" },
    lesson: {
      en: "Counter-example: the second request is lost without a trace.",
      ja: "反例。二つ目の要求は跡を残さず失われる。",
    },
    work: { worker: ["BEGIN IMMEDIATE", ...INSERT_BOTH] },
    stages: [
      stage("1", [runs(DONE)], [1, 1, 0, 0]),
      stage("2", [runs(["skipped"], { input: { content: "Y" } })], [1, 1, 0, 0]),
    ],
  }),
  caseOf({
    id: "I",
    folder: "I-key-expiry",
    title: { en: "the key expires, the event comes again", ja: "キーの期限が切れた後に同じイベント" },
    lesson: {
      en: "Protection lasts as long as the key is kept.",
      ja: "守られるのはキーを保つ間だけである。",
    },
    work: { worker: ["BEGIN IMMEDIATE", ...INSERT_BOTH], purge: PURGE },
    stages: [
      stage("1", [first], [1, 1, 0, 0]),
      stage("purge", [purge], [0, 1, 0, 0]),
      stage("2", [runs(DONE, { input: { now: THIRD_DAY } })], [1, 2, 0, 0]),
    ],
  }),
  caseOf({
    id: "I2",
    folder: "I2-expiry-and-horizon",
    title: { en: "expired, but old requests are refused", ja: "期限切れ。ただし古い要求は拒否" },
    lesson: { en: "Refuse what can no longer be judged.", ja: "判断できなくなったものは拒否する。" },
    work: { worker: ["refuse if too old", "BEGIN IMMEDIATE", ...INSERT_BOTH], purge: PURGE },
    stages: [
      stage("1", [runs(DONE, { input: { now: FIRST_DAY, occurredAt: FIRST_DAY } })], [1, 1, 0, 0]),
      stage("purge", [purge], [0, 1, 0, 0]),
      stage("2", [runs(["TOO_OLD"], { input: { now: THIRD_DAY, occurredAt: FIRST_DAY } })], [0, 1, 0, 0]),
    ],
  }),
  caseOf({
    id: "I3",
    folder: "I3-expiry-and-unique-effect",
    title: { en: "expired, but the ledger itself is unique", ja: "期限切れ。ただし台帳自体が一意" },
    lesson: {
      en: "The business fact itself is the last judge.",
      ja: "業務の事実そのものが最後の判定者になる。",
    },
    work: {
      worker: [
        ...(["BEGIN IMMEDIATE", "skip if processed", "insert processed"] as const),
        ...(["insert effect unless in ledger", "@before-commit", "COMMIT", "@committed"] as const),
      ],
      purge: PURGE,
    },
    schema: ["CREATE UNIQUE INDEX one_effect_per_event ON effects(event_id)"],
    stages: [
      stage("1", [first], [1, 1, 0, 0]),
      stage("purge", [purge], [0, 1, 0, 0]),
      stage("2", [runs(["ALREADY_IN_LEDGER", ...DONE], { input: { now: THIRD_DAY } })], [1, 1, 0, 0]),
    ],
  }),
];
