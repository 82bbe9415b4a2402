import { closeSync, existsSync, fstatSync, openSync, readSync } from "node:fs";
import { appendFlushed, KEY_LIFETIME_MS, leave, sha256 } from "./actions-base.ts";
import type { ChildContext } from "./context.ts";
import { errorCode, SQLITE_CONSTRAINT_UNIQUE } from "./sqlite-codes.ts";

/** The actions of the database cases H to S (retry-boundaries §10). */

const LEASE_MS = 1_000;
const FILLER_ROWS = 5_000;
const FILLER_BYTES = 500;

export function conflictIfOtherContent(context: ChildContext): void {
  const database = context.database();
  const hash = sha256(context.input.content);
  const known = database
    .prepare("SELECT content_sha256 FROM processed WHERE event_id = ?")
    .get(context.input.key);
  if (known === undefined || known.content_sha256 === hash) return;
  database
    .prepare("INSERT INTO conflicts (event_id, content_sha256) VALUES (?, ?)")
    .run(context.input.key, hash);
  database.exec("COMMIT");
  leave(context, "CONFLICT");
}

export function refuseIfTooOld(context: ChildContext): void {
  const { occurredAt } = context.input;
  if (occurredAt === null) throw new Error("the request carries no time");
  if (Date.parse(occurredAt) + KEY_LIFETIME_MS <= Date.parse(context.now())) leave(context, "TOO_OLD");
}

export function purgeExpired(context: ChildContext): void {
  context.database().prepare("DELETE FROM processed WHERE expires_at <= ?").run(context.now());
}

export function unlessInLedger(context: ChildContext, insertEffect: () => void): void {
  try {
    insertEffect();
  } catch (error) {
    if (errorCode(error) !== SQLITE_CONSTRAINT_UNIQUE) throw error;
    context.say("ALREADY_IN_LEDGER");
  }
}

export function insertOutbox(context: ChildContext): void {
  context
    .database()
    .prepare("INSERT INTO outbox (event_id, sent_at) VALUES (?, NULL)")
    .run(context.input.key);
}

export function takeNextUnsent(context: ChildContext): void {
  const row = context.database().prepare("SELECT event_id FROM outbox WHERE sent_at IS NULL LIMIT 1").get();
  if (row?.event_id !== context.input.key) leave(context, "NOTHING_TO_SEND");
}

export function markSent(context: ChildContext): void {
  context
    .database()
    .prepare("UPDATE outbox SET sent_at = ? WHERE event_id = ?")
    .run(context.now(), context.input.key);
}

export function insertByKey(context: ChildContext): void {
  const database = context.database();
  const known = database.prepare("SELECT 1 FROM received WHERE event_id = ?").get(context.input.key);
  if (known !== undefined) leave(context, "ALREADY_RECEIVED");
  database
    .prepare("INSERT INTO received (event_id, received_at) VALUES (?, ?)")
    .run(context.input.key, context.now());
}

/** The reply's bytes depend on nothing but the ledger, so that a repetition can be compared with them. */
export function storeReply(context: ChildContext): void {
  const database = context.database();
  const total = database.prepare("SELECT sum(delta) AS total FROM effects").get();
  const body = JSON.stringify({ event: context.input.key, ledger_total: Number(total?.total) });
  database.prepare("INSERT INTO replies (event_id, body) VALUES (?, ?)").run(context.input.key, body);
  context.reply = body;
}

export function answerStoredReply(context: ChildContext): void {
  const row = context
    .database()
    .prepare("SELECT body FROM replies WHERE event_id = ?")
    .get(context.input.key);
  if (row !== undefined) leave(context, `ALREADY_DONE=${sha256(String(row.body))}`);
}

/** One sleep for the time that is left, by the file's own clock value; the lease really runs out. */
export function waitForExpiry(context: ChildContext): void {
  const row = context.database().prepare("SELECT expires_at FROM leases").get();
  const left = Number(row?.expires_at) - Date.now();
  if (left > 0) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, left + 10);
}

export function takeLease(context: ChildContext): void {
  const now = Date.now();
  const taken = context
    .database()
    .prepare(
      `INSERT INTO leases (name, owner, expires_at) VALUES ('worker', ?, ?) ON CONFLICT(name)
       DO UPDATE SET owner = excluded.owner, expires_at = excluded.expires_at WHERE expires_at <= ?`,
    )
    .run(context.args.child, now + LEASE_MS, now);
  if (taken.changes !== 1) leave(context, "LOCK_HELD");
}

/** Five pages: the transaction spills to the file, and its journal becomes a hot one (§10, case N). */
export function limitPageCache(context: ChildContext): void {
  context.database().exec("PRAGMA cache_size=5");
}

export function limitDatabaseSize(context: ChildContext): void {
  const pages = context.database().prepare("PRAGMA page_count").get();
  context.database().exec(`PRAGMA max_page_count=${Number(pages?.page_count)}`);
}

export function insertFiller(context: ChildContext): void {
  context.database().exec(
    `WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${FILLER_ROWS})
     INSERT INTO filler (n, body) SELECT n, hex(zeroblob(${FILLER_BYTES / 2})) FROM numbers`,
  );
}

const HALF = 7;

/** A torn line is ended first, so that the next one stays readable (§10, case O). */
export function appendFirstHalf(context: ChildContext): void {
  const lead = endsWithLineEnd(context.args.outside) ? "" : "\n";
  appendFlushed(context.args.outside, `${lead}${context.input.key.slice(0, HALF)}`);
}

export function appendSecondHalf(context: ChildContext): void {
  appendFlushed(context.args.outside, `${context.input.key.slice(HALF)}\n`);
}

function endsWithLineEnd(path: string): boolean {
  if (!existsSync(path)) return true;
  const file = openSync(path, "r");
  try {
    const { size } = fstatSync(file);
    const last = Buffer.alloc(1);
    if (size === 0) return true;
    readSync(file, last, 0, 1, size - 1);
    return last.toString("latin1") === "\n";
  } finally {
    closeSync(file);
  }
}

/** Fleet §7.6: the same receipt with the same body is a duplicate, and nothing is written. */
export function judgeReceipt(context: ChildContext): void {
  const database = context.database();
  const hash = sha256(context.input.content);
  const known = database
    .prepare("SELECT body_sha256 FROM receipt WHERE receipt_id = ?")
    .get(context.input.key);
  if (known !== undefined) leave(context, known.body_sha256 === hash ? "DUPLICATE" : "CONFLICT");
  database.prepare("INSERT INTO receipt VALUES (?, 'op-1', ?, 'APPLIED')").run(context.input.key, hash);
}

/** Fleet §4: the version advances in the transaction that first closes an operation as succeeded, and only there. */
export function closeOperation(context: ChildContext): void {
  const database = context.database();
  const closed = database
    .prepare("UPDATE operation SET state = 'SUCCEEDED' WHERE op_id = 'op-1' AND state = 'RUNNING'")
    .run();
  if (closed.changes === 1) {
    database.exec("UPDATE plugin_state SET version_advances = version_advances + 1");
  }
}

/** Fleet §8, step 4. */
export function refuseIfOperationOpen(context: ChildContext): void {
  const open = context
    .database()
    .prepare("SELECT 1 FROM operation WHERE terminal_id = 'terminal-1' AND state = 'PENDING'")
    .get();
  if (open !== undefined) leave(context, "OPEN_OPERATION");
}

/** Fleet §8, step 9: the operation and the time of dispatch are one commit. */
export function insertOperation(context: ChildContext): void {
  const database = context.database();
  database.exec("INSERT INTO operation VALUES ('op-1', 'terminal-1', 'plugin-1', 1, 'PENDING')");
  database.prepare("UPDATE plugin_state SET last_op_id = 'op-1', last_dispatch_at = ?").run(context.now());
}
