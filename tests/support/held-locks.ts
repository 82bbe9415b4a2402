import { randomUUID } from "node:crypto";
import { prepareDataDir } from "../../main/console/data-dir.ts";
import { prepareEmbedded } from "../../main/console/embedded.ts";
import { createKintoneTransport, getRecords, write } from "../../main/kintone-client/index.ts";
import { ensureLocalKintone } from "../../main/local-kintone/index.ts";
import { createKintoneStore, type LockSession } from "../../main/store/index.ts";
import { jobLogWrites } from "../../shared/records/index.ts";
import { takeLock } from "./lock-inputs.ts";
import { realSleep, systemClock } from "./store-fixture.ts";

export interface HeldLockWish {
  readonly networkId: string;
  readonly host: string;
  readonly pid: number;
  readonly leaseMs: number;
}

/** Takes network locks of a data folder's own kintone in the name of any process, on any host. */
export interface LockTaker {
  take(wish: HeldLockWish): Promise<LockSession>;
  /** Leaves a RUNNING record in the JOB log, which is a job's lock (execution-contract §7.2). */
  holdJob(jobKey: string, host: string): Promise<void>;
  /** Status of the records of a job, held or done. */
  jobStates(jobKey: string): Promise<readonly string[]>;
  dispose(): Promise<void>;
}

const JOB_LOG_TOKEN = "FLOWNET_TOKEN_JOB_LOG";
/** Longer than any test: nothing beats but what a test asks for. */
const NEVER_MS = 3_600_000;

/** Opens the kintone of a data folder for that, beside whatever console uses it. */
export async function openLockTaker(root: string): Promise<LockTaker> {
  const dataDir = await prepareDataDir(root);
  const signal = new AbortController().signal;
  const server = await ensureLocalKintone({ dataDir: root, execPath: process.execPath, signal });
  const { connection, runnerTokens } = await prepareEmbedded(dataDir, server);
  const { state, audit, jobLog, profile } = connection;
  const transport = createKintoneTransport({
    baseUrl: connection.baseUrl,
    tokens: new Map([
      ...[state, audit].map((app) => [app.appId, [app.token]] as const),
      // The runner's own: the orchestrator's may only read the JOB log.
      [jobLog.appId, [runnerTokens[JOB_LOG_TOKEN] ?? ""]],
    ]),
  });
  const store = createKintoneStore({
    transport,
    apps: { state: state.appId, audit: audit.appId, jobLog: jobLog.appId },
    clock: systemClock,
    ids: { uuid: randomUUID },
    sleep: realSleep,
  });
  const sessions: LockSession[] = [];
  return {
    async take({ networkId, host, pid, leaseMs }) {
      const session = await takeLock(store, {
        profile,
        networkId,
        ownerInvocationId: `invoke_${randomUUID()}`,
        ownerInstanceId: `local-pid://${host}/${pid}`,
        leaseMs,
        heartbeatMs: NEVER_MS,
      });
      sessions.push(session);
      return session;
    },
    async holdJob(jobKey, host) {
      const record = jobLogWrites.encodeInsert({
        jobKey,
        batchId: randomUUID(),
        parentBatchId: null,
        scriptName: "job.sql",
        profile,
        asOf: "2026-09-04T00:00:00+09:00",
        startedAt: `${new Date().toISOString().slice(0, 19)}Z`,
        executedBy: "test",
        host,
        gitRef: "",
        ksqlVersion: "1",
        correlation: null,
      });
      const answer = await transport.send(write({ kind: "addRecord", app: jobLog.appId, record }));
      if (answer.kind !== "ok") throw new Error(`not written: ${JSON.stringify(answer)}`);
    },
    async jobStates(jobKey) {
      const query = `job_key = "${jobKey}" or job_key_done = "${jobKey}" order by $id asc`;
      const answer = await transport.send(getRecords(jobLog.appId, query, ["status"]));
      if (answer.kind !== "ok") throw new Error(`not read: ${JSON.stringify(answer)}`);
      return answer.value.map((record) => JSON.stringify(record.status));
    },
    async dispose() {
      for (const session of sessions) await session.dispose();
      await store.dispose();
      await transport.dispose();
      await server.release();
    },
  };
}
