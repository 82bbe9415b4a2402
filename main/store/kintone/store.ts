import type { KintoneTransport, Sleep } from "../../kintone-client/index.ts";
import type { Clock, FlowStore, Ids, LockSession } from "../ports.ts";
import { createAuditReads } from "./audit-reads.ts";
import { createBundleFiles } from "./bundle-files.ts";
import type { AppIds } from "./changes/encode.ts";
import { acquireLock } from "./fence/acquire.ts";
import { createAuditWrites } from "./lone/audits.ts";
import { createForcedRelease } from "./lone/forced-release.ts";
import { createHoldWrites } from "./lone/holds.ts";
import { createFlowReads } from "./reads.ts";

export interface KintoneStoreDeps {
  /** Not disposed by the store: whoever made it does. */
  readonly transport: KintoneTransport;
  readonly apps: AppIds;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly sleep: Sleep;
}

/**
 * The orchestrator's store on kintone (architecture §4, fenced-writes). `dispose` ends open lock sessions
 * without releasing them, and waits for stray locks of lost acquisitions to be looked for (R6), which takes
 * at most one request limit.
 */
export function createKintoneStore(deps: KintoneStoreDeps): FlowStore {
  const { transport, sleep, apps } = deps;
  const sessions = new Set<LockSession>();
  const background = new Set<Promise<void>>();

  function keep(work: Promise<void>): void {
    background.add(work);
    const forget = (): boolean => background.delete(work);
    work.then(forget, forget);
  }

  /** A resident host takes locks all day: a session is forgotten when its user disposes it. */
  function keepSession(session: LockSession): LockSession {
    const kept: LockSession = {
      ...session,
      async dispose() {
        await session.dispose();
        sessions.delete(kept);
      },
    };
    sessions.add(kept);
    return kept;
  }

  return {
    ...createFlowReads({ transport, sleep }, apps),
    ...createAuditReads({ transport, sleep }, apps.audit),
    ...createBundleFiles({ transport, sleep }, apps.state),
    ...createHoldWrites({ transport, sleep }, apps.state),
    ...createAuditWrites({ transport, sleep }, apps.audit),
    forceRelease: createForcedRelease({ transport, sleep }, apps),
    async acquireLock(input, signal) {
      const outcome = await acquireLock({ ...deps, background: keep }, input, signal);
      return outcome.kind === "acquired" ? { ...outcome, session: keepSession(outcome.session) } : outcome;
    },
    async dispose() {
      await Promise.all([...sessions].map((session) => session.dispose()));
      await Promise.allSettled([...background]);
    },
  };
}
