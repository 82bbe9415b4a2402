import { randomUUID } from "node:crypto";
import type { OpenedWorkspace } from "../../main/console/index.ts";
import { createKintoneTransport, write } from "../../main/kintone-client/index.ts";
import {
  invocationCodec,
  networkUnlockAudit,
  operationAuditCodec,
  runArchivedAudit,
  type WireRecord,
} from "../../shared/records/index.ts";
import { storedInvocation } from "./entities.ts";

export interface AuditApp {
  /** Adds a record and answers its `$id`. */
  add(record: WireRecord): Promise<string>;
  dispose(): Promise<void>;
}

/** The audit app of a workspace, for records that no test can make by doing what they tell of. */
export function openAuditApp(workspace: Pick<OpenedWorkspace, "environment" | "baseUrl">): AuditApp {
  const variables = workspace.environment();
  const app = Number(variables.KSQL_FLOWNET_AUDIT_APP_ID);
  const token = variables.KSQL_FLOWNET_AUDIT_API_TOKEN ?? "";
  const transport = createKintoneTransport({
    baseUrl: workspace.baseUrl,
    tokens: new Map([[app, [token]]]),
  });
  return {
    async add(record) {
      const answer = await transport.send(write({ kind: "addRecord", app, record }));
      if (answer.kind !== "ok") throw new Error(`refused: ${JSON.stringify(answer)}`);
      return answer.value.refs[0]?.recordId ?? "";
    },
    dispose: () => transport.dispose(),
  };
}

/** A forced release that names a file given as proof. */
export const releasedRecord = (sha256: string, networkId = "sales_import"): WireRecord =>
  operationAuditCodec.encode(
    networkUnlockAudit({
      eventId: `evt_${randomUUID()}`,
      networkId,
      profile: "local",
      lockKey: "NL1:x",
      recordId: "7",
      previousOwnerInvocationId: "invoke_c41f",
      previousLeaseToken: "lease",
      previousHeartbeatAt: "2026-09-05T04:49:00Z",
      previousLeaseExpiresAt: "2026-09-05T04:52:00Z",
      servicePrincipal: "HOST-A",
      requestedBy: "山田",
      stopConfirmedBy: "佐藤",
      stopMethod: "local_pid",
      stopEvidenceRef: "PID 8812 (13:20:11)",
      reason: "プロセス終了確認: =ホストで確認しました",
      evidenceRef: "ticket-12",
      releasedAt: "2026-09-05T05:03:20.123Z",
      postReleaseRevision: 215,
      stopEvidenceSha256: sha256,
    }),
  );

export const archivedRecord = (runId: string): WireRecord =>
  operationAuditCodec.encode(
    runArchivedAudit({
      eventId: `evt_${randomUUID()}`,
      runId,
      requestedBy: "山田",
      reason: "訂正用のキーでやり直すため",
      archivedAt: "2026-09-05T05:10:00.456Z",
      previousStatus: "FAILED",
      runRevisionBefore: 4,
      servicePrincipal: "HOST-A",
    }),
  );

export const startedRecord = (runId: string, requestedBy = "scheduler"): WireRecord =>
  invocationCodec.encode(
    storedInvocation({ runId, invocationId: `invoke_${randomUUID()}`, requestedBy, resultCode: "OK" }),
  );

/** An event nobody can read. */
export const brokenRecord = (): WireRecord => ({
  ...archivedRecord("netrun_broken"),
  reason: { value: "{not json" },
});
