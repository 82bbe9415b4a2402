import { createHash } from "node:crypto";
import { closeSync, fsyncSync, openSync, readSync, writeSync } from "node:fs";
import { DELTA } from "../cases/model.ts";
import type { ChildContext } from "./context.ts";

/** The actions of the published experiment, A to G (retry-boundaries §5, §6). */

/** A processed key is kept this long (cases I); far beyond the length of a run. */
export const KEY_LIFETIME_MS = 24 * 60 * 60 * 1_000;

export const sha256 = (text: string): string => createHash("sha256").update(text, "utf8").digest("hex");

/** Leaves without writing: the transaction, if there is one, is given back first. */
export function leave(context: ChildContext, outcome: string): never {
  if (context.database().isTransaction) context.database().exec("ROLLBACK");
  context.say(outcome);
  return context.end(0);
}

export function isProcessed({ database, input }: ChildContext): boolean {
  return database().prepare("SELECT 1 FROM processed WHERE event_id = ?").get(input.key) !== undefined;
}

export function insertProcessed(context: ChildContext): void {
  const { input } = context;
  const database = context.database();
  const now = context.now();
  if (context.args.suite === "A-G") {
    database.prepare("INSERT INTO processed (event_id, processed_at) VALUES (?, ?)").run(input.key, now);
    return;
  }
  const expires = new Date(Date.parse(now) + KEY_LIFETIME_MS).toISOString();
  database
    .prepare("INSERT INTO processed (event_id, processed_at, content_sha256, expires_at) VALUES (?, ?, ?, ?)")
    .run(input.key, now, sha256(input.content), expires);
}

export function insertEffect(context: ChildContext): void {
  context
    .database()
    .prepare("INSERT INTO effects (event_id, delta, created_at) VALUES (?, ?, ?)")
    .run(context.input.key, DELTA, context.now());
}

/** Appends and flushes to the disk before it returns: the effect outside has really happened (§4). */
export function appendFlushed(path: string, text: string): void {
  const file = openSync(path, "a");
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Waits for the controller's byte. A closed pipe means that it is gone: then nothing is committed. */
export function waitForByte(context: ChildContext): void {
  if (readByte() === 0) {
    context.say("controller-gone");
    context.end(1);
  }
}

function readByte(): number {
  try {
    return readSync(0, Buffer.alloc(1), 0, 1, null);
  } catch (error) {
    // Windows reports the end of a pipe as an error.
    if (error instanceof Error && "code" in error && error.code === "EOF") return 0;
    throw error;
  }
}
