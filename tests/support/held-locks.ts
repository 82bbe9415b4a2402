import { randomUUID } from "node:crypto";
import { prepareDataDir } from "../../main/console/data-dir.ts";
import { prepareEmbedded } from "../../main/console/embedded.ts";
import { createKintoneTransport } from "../../main/kintone-client/index.ts";
import { ensureLocalKintone } from "../../main/local-kintone/index.ts";
import { createKintoneStore, type LockSession } from "../../main/store/index.ts";
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
  dispose(): Promise<void>;
}

/** Longer than any test: nothing beats but what a test asks for. */
const NEVER_MS = 3_600_000;

/** Opens the kintone of a data folder for that, beside whatever console uses it. */
export async function openLockTaker(root: string): Promise<LockTaker> {
  const dataDir = await prepareDataDir(root);
  const signal = new AbortController().signal;
  const server = await ensureLocalKintone({ dataDir: root, execPath: process.execPath, signal });
  const { connection } = await prepareEmbedded(dataDir, server);
  const { state, audit, jobLog, profile } = connection;
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
    async dispose() {
      for (const session of sessions) await session.dispose();
      await store.dispose();
      await transport.dispose();
      await server.release();
    },
  };
}
