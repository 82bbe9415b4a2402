import type { KintoneTransport } from "../kintone-client/index.ts";
import { createPlans, createRecovery, type PlansDeps } from "../orchestrator/index.ts";
import { createRequestStore, type FlowStore } from "../store/index.ts";
import { sleep, systemIds } from "./clock.ts";
import { createCloudRunQuestion } from "./cloud-run.ts";
import type { DataDir } from "./data-dir.ts";
import type { Connection } from "./environment.ts";
import { keepEvidence } from "./evidence-files.ts";
import type { LockEvidence } from "./locks/evidence.ts";
import { createOwnerJudge } from "./locks/judge-owner.ts";
import type { Workspace } from "./ports.ts";

export interface RecoveryParts extends Pick<PlansDeps, "runner" | "orphans" | "io" | "allowList"> {
  readonly connection: Connection;
  readonly dataDir: DataDir;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly host: string;
  readonly ownerInstanceId: string;
  readonly clock: { nowMs(): number; monotonicMs(): number };
  readonly store: FlowStore;
  readonly transport: KintoneTransport;
  readonly lockEvidence: LockEvidence;
  readonly journalLockOwner: (invocationId: string) => Promise<void>;
}

const filled = (value: string | undefined): string | null =>
  value === undefined || value === "" ? null : value;

/** What a workspace offers to people who act: the operations, the request app, and a place for proof. */
export function openRecovery(
  parts: RecoveryParts,
): Pick<Workspace, "recovery" | "plans" | "requestStore" | "servicePrincipal" | "folders" | "keepEvidence"> {
  const { connection, dataDir, env, host, clock, store, transport } = parts;
  const judgeOwner = createOwnerJudge({
    evidence: parts.lockEvidence,
    reads: store,
    nowMs: clock.nowMs,
    ownImage: process.execPath,
    host,
  });
  const askCloudRun = createCloudRunQuestion(filled(env.KSQL_FLOWNET_GCP_ACCESS_TOKEN));
  const { profile } = connection;
  const { runner, orphans, io, allowList } = parts;
  const requestStore =
    connection.request === null ? null : createRequestStore({ transport, sleep }, connection.request.appId);
  return {
    plans: createPlans({
      store,
      requests: requestStore,
      allowList,
      runner,
      orphans,
      io,
      clock,
      profile,
      judgeOwner,
      askCloudRun,
    }),
    recovery: createRecovery({
      store,
      clock,
      ids: systemIds,
      profile,
      host,
      ownerInstanceId: parts.ownerInstanceId,
      journalLockOwner: parts.journalLockOwner,
      judgeOwner,
      askCloudRun,
    }),
    requestStore,
    servicePrincipal: filled(env.KSQL_FLOWNET_SERVICE_PRINCIPAL) ?? host,
    folders: dataDir,
    keepEvidence: (path) => keepEvidence(dataDir.evidence, path),
  };
}
