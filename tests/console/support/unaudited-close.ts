import { randomUUID } from "node:crypto";
import type { OpenedWorkspace } from "../../../main/console/index.ts";
import { createKintoneTransport, write } from "../../../main/kintone-client/index.ts";
import type { Run, Stored } from "../../../shared/domain/model.ts";
import { closeEnd } from "../../../shared/domain/request-end.ts";
import { operationAuditCodec, runArchivedAudit, runCodec } from "../../../shared/records/index.ts";
import { refOf } from "../../support/lone-faults.ts";

const REASON = "翌日の Run にまとめます";

/** What the host that closed the Run knows, and its request tells. */
export interface UnauditedClose {
  readonly requestId: string;
  readonly eventId: string;
  readonly archivedAt: string;
  readonly previousStatus: string;
  readonly revision: number;
}

/**
 * Closes a failed Run as the peer does, one record after the other: the request is claimed and the Run archived; then
 * kintone refuses the audit, because the token of this host has no right to that app, and the request ends as
 * `RUN_ARCHIVED_AUDIT_PENDING` (orchestration §4.8, §7.6).
 */
export async function closeWithoutAudit(workspace: OpenedWorkspace, runId: string): Promise<UnauditedClose> {
  const { requestStore } = workspace;
  const run = await workspace.reads.findRunById(runId);
  if (requestStore === null || run === null) throw new Error(`no request app, or no Run ${runId}`);
  const filed = await refOf(
    requestStore.insertRequest({
      type: "CLOSE",
      runId,
      networkId: null,
      businessKey: null,
      scheduledFor: null,
      rerunFromNode: null,
      reason: REASON,
    }),
  );
  const archivedAt = new Date().toISOString();
  const claimed = await refOf(requestStore.claim(filed, { host: "HOST-B", at: archivedAt }));
  const eventId = `archive_${randomUUID()}`;
  const refusal = await archiveStepwise(workspace, run, { eventId, archivedAt });
  const end = closeEnd({
    outcome: "ARCHIVED",
    code: refusal,
    audit: "PENDING",
    lockReleased: true,
    eventId,
  });
  await refOf(
    requestStore.end(claimed, { state: end.state, resultCode: end.code, resultMessage: end.message }),
  );
  return {
    requestId: filed.recordId,
    eventId,
    archivedAt,
    previousStatus: run.status,
    revision: run.ref.revision,
  };
}

/** Archives the Run, then asks for its audit in vain; answers the code of the refusal. */
async function archiveStepwise(
  { environment, baseUrl }: OpenedWorkspace,
  run: Stored<Run>,
  { eventId, archivedAt }: { readonly eventId: string; readonly archivedAt: string },
): Promise<string> {
  const variables = environment();
  const state = Number(variables.KSQL_FLOWNET_STATE_APP_ID);
  const audit = Number(variables.KSQL_FLOWNET_AUDIT_APP_ID);
  const token = variables.KSQL_FLOWNET_STATE_API_TOKEN ?? "";
  const transport = createKintoneTransport({
    baseUrl,
    tokens: new Map([
      [state, [token]],
      [audit, [token]],
    ]),
  });
  try {
    const closed = runCodec.encodeClose({ lifecycle: "ARCHIVED", updatedAt: archivedAt });
    const entry = { id: run.ref.recordId, revision: run.ref.revision, record: closed };
    const archived = await transport.send(write({ kind: "updateRecord", app: state, entry }));
    if (archived.kind !== "ok") throw new Error(`not archived: ${JSON.stringify(archived)}`);
    const event = runArchivedAudit({
      eventId,
      runId: run.runId,
      requestedBy: "佐藤",
      reason: REASON,
      archivedAt,
      previousStatus: "FAILED",
      runRevisionBefore: run.ref.revision,
      servicePrincipal: "HOST-B",
    });
    const record = operationAuditCodec.encode(event);
    const refused = await transport.send(write({ kind: "addRecord", app: audit, record }));
    if (refused.kind !== "refused") throw new Error(`not refused: ${JSON.stringify(refused)}`);
    return refused.code;
  } finally {
    await transport.dispose();
  }
}
