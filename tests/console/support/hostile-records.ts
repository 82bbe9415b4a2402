import { randomUUID } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { prepareDataDir } from "../../../main/console/data-dir.ts";
import { prepareEmbedded } from "../../../main/console/embedded.ts";
import { createKintoneTransport } from "../../../main/kintone-client/index.ts";
import { ensureLocalKintone } from "../../../main/local-kintone/index.ts";
import { createKintoneStore, type LockSession } from "../../../main/store/index.ts";
import { freshAttempt, freshInvocation, freshRun, freshState } from "../../support/store-entities.ts";
import { realSleep, systemClock } from "../../support/store-fixture.ts";

const ESC = "\u001b";
/** Markup, a text that runs backwards, a zero-width space, a terminal's colour, an end of line that is none. */
export const EVIL = `<img src=x onerror="window.owned=1"><b>太字</b> \u202Egnp.exe\u202C \u200B${ESC}[31m赤${ESC}[0m\u2028`;
/** 128 characters: markup, a Cyrillic letter among Latin ones, a full-width digit, no place to break a line. */
export const EVIL_ID = `<i>p\u0430yment</i>\u202E\uff11${"x".repeat(108)}`.slice(0, 128);
/** As much as a record holds, and what only a log does. */
const LONG_TEXT = "y".repeat(60_000);
const LONG_LINE = "y".repeat(1_000_000);

export interface HostileRecords {
  readonly runId: string;
  readonly businessKey: string;
  readonly networkId: string;
  /** Ends the Run: what a screen reader is told of. */
  fail(): Promise<void>;
  dispose(): Promise<void>;
}

/** Writes a Run whose every text is hostile straight into the local kintone of a data folder; its lock stays held. */
export async function writeHostileRecords(root: string): Promise<HostileRecords> {
  const dataDir = await prepareDataDir(root);
  const signal = new AbortController().signal;
  const server = await ensureLocalKintone({ dataDir: root, execPath: process.execPath, signal });
  const { connection } = await prepareEmbedded(dataDir, server);
  const { state, audit, jobLog } = connection;
  const transport = createKintoneTransport({
    baseUrl: connection.baseUrl,
    tokens: new Map([state, audit, jobLog].map((app) => [app.appId, [app.token]])),
  });
  const store = createKintoneStore({
    transport,
    apps: { state: state.appId, audit: audit.appId, jobLog: jobLog.appId },
    clock: systemClock,
    ids: { uuid: randomUUID },
    sleep: realSleep,
  });
  const networkId = `net_${EVIL_ID}`.slice(0, 128);
  const businessKey = EVIL_ID;
  const { profileSnapshot } = freshRun();
  const run = freshRun({
    networkId,
    businessKey,
    status: "RUNNING",
    startedAt: new Date().toISOString(),
    createdAt: new Date().toISOString(),
    updatedAt: new Date().toISOString(),
    profileSnapshot: { ...profileSnapshot, profile: connection.profile },
    flowVersion: EVIL,
  });
  const invocation = freshInvocation(run.runId, { requestedBy: EVIL, host: EVIL, reason: EVIL + LONG_TEXT });
  const acquired = await store.acquireLock({
    profile: connection.profile,
    networkId,
    ownerInvocationId: invocation.invocationId,
    ownerInstanceId: `local-pid://${EVIL}/4321`,
    leaseMs: 3_600_000,
    heartbeatMs: 600_000,
  });
  if (acquired.kind !== "acquired") throw new Error(acquired.problem.message);
  const { session } = acquired;
  const failed = freshState(run.runId, EVIL_ID, {
    status: "FAILED",
    jobId: EVIL,
    latestAttemptNo: 1,
    statusReason: EVIL,
  });
  const blocked = freshState(run.runId, `${EVIL_ID.slice(0, 120)}_b`, {
    status: "BLOCKED",
    jobId: EVIL,
    blockedBy: [EVIL_ID],
    statusReason: EVIL,
  });
  const attempt = freshAttempt({ ...failed, latestAttemptNo: 0 }, invocation.invocationId, {
    status: "FAILED",
    resultCode: "ASSERT_FAILED",
    finishedAt: new Date().toISOString(),
    durationSec: 1,
    lastWrittenKey: EVIL,
    errorMessage: `${EVIL}\n${LONG_TEXT}`,
  });
  const written = await session.write([
    { kind: "run.insert", run },
    { kind: "invocation.insert", invocation },
    { kind: "nodeStates.insert", states: [failed, blocked] },
    { kind: "attempt.insert", attempt },
  ]);
  if (written.kind !== "applied") throw new Error(`not written: ${JSON.stringify(written)}`);
  await store.insertHold({
    runId: run.runId,
    state: "ACCEPTED",
    requestedBy: EVIL,
    reason: EVIL,
    requestedAt: new Date().toISOString(),
    acceptedAt: new Date().toISOString(),
    releasedAt: null,
    releaseReason: null,
    releaseRequestedBy: null,
  });
  await writeLog(root, attempt.attemptId);
  const [runRef] = written.refs;
  if (runRef === undefined) throw new Error("no record of the Run");
  return {
    runId: run.runId,
    businessKey,
    networkId,
    fail: () => failRun(session, run.runId, runRef, { profile: connection.profile, networkId, businessKey }),
    async dispose() {
      await session.dispose();
      await store.dispose();
      await transport.dispose();
      await server.release();
    },
  };
}

async function failRun(
  session: LockSession,
  runId: string,
  ref: { readonly recordId: string; readonly revision: number },
  recordKey: { readonly profile: string; readonly networkId: string; readonly businessKey: string },
): Promise<void> {
  const now = new Date().toISOString();
  const outcome = await session.write([
    {
      kind: "run.aggregate",
      runId,
      recordKey,
      ref,
      status: "FAILED",
      startedAt: now,
      finishedAt: now,
      updatedAt: now,
    },
  ]);
  if (outcome.kind !== "applied") throw new Error(`not written: ${JSON.stringify(outcome)}`);
}

async function writeLog(root: string, attemptId: string): Promise<void> {
  const folder = join(root, "log", "attempts", attemptId);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "stdout.log"), `${EVIL}\n${LONG_LINE}\n${EVIL}\n`);
}
