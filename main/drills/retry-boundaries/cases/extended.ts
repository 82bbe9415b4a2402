import { CONCURRENCY_CASES } from "./extended-concurrency.ts";
import { KEY_CASES } from "./extended-keys.ts";
import { OUTSIDE_CASES } from "./extended-outside.ts";
import { STORAGE_CASES } from "./extended-storage.ts";
import type { Suite } from "./model.ts";

/**
 * The schema of the database cases H to S (retry-boundaries §10): as the base suite, with the content's hash
 * and an expiry beside the key, and an outbox. Counts gain a fourth number, the receiver's rows.
 */
const EXTENDED_SCHEMA: readonly string[] = [
  "CREATE TABLE processed (event_id TEXT PRIMARY KEY, processed_at TEXT NOT NULL, content_sha256 TEXT, expires_at TEXT)",
  "CREATE TABLE effects (effect_id INTEGER PRIMARY KEY AUTOINCREMENT, event_id TEXT NOT NULL, delta INTEGER NOT NULL, created_at TEXT NOT NULL)",
  "CREATE TABLE outbox (event_id TEXT PRIMARY KEY, sent_at TEXT)",
];

/** The receiver's own database. */
export const RECEIVER_SCHEMA: readonly string[] = [
  "CREATE TABLE received (event_id TEXT PRIMARY KEY, received_at TEXT NOT NULL)",
];

export const EXTENDED_SUITE: Suite = {
  name: "extended-db",
  schema: EXTENDED_SCHEMA,
  cases: [...KEY_CASES, ...OUTSIDE_CASES, ...CONCURRENCY_CASES, ...STORAGE_CASES],
};
