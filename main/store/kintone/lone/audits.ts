import type { OperationAudit, Stored } from "../../../../shared/domain/model.ts";
import { FlowError } from "../../../../shared/domain/problem.ts";
import { auditQueries, operationAuditCodec, RECORD_KEY_FIELD } from "../../../../shared/records/index.ts";
import { getRecords, requireValue, sendRead } from "../../../kintone-client/index.ts";
import type { LockAdministration } from "../../ports.ts";
import { insertLone } from "./record-write.ts";
import type { LoneDeps } from "./send-lone.ts";

/** True when two events tell the same facts; the JSON is the record (wire-format §1.5). */
const sameEvent = (a: OperationAudit, b: OperationAudit): boolean =>
  a.eventId === b.eventId && JSON.stringify(a.event) === JSON.stringify(b.event);

/** Reads and late inserts of operation audits (orchestration §4.8, decisions §3). */
export function createAuditWrites(
  deps: LoneDeps,
  auditApp: number,
): Pick<LockAdministration, "insertAudit" | "findAudit"> {
  async function findAudit(eventId: string, signal?: AbortSignal): Promise<Stored<OperationAudit> | null> {
    const query = auditQueries.byKey(operationAuditCodec.recordKey(eventId));
    const answer = await sendRead(deps, getRecords(auditApp, query), signal ? { signal } : {});
    const [raw] = requireValue(answer, "read the audit");
    if (raw === undefined) return null;
    const audit = operationAuditCodec.decode(raw);
    if (audit.ok) return audit.value;
    throw new FlowError(audit.error);
  }
  return {
    findAudit,
    async insertAudit(audit, signal) {
      const known = await findAudit(audit.eventId, signal);
      if (known !== null && sameEvent(known, audit)) return { kind: "applied", ref: known.ref };
      const written = await insertLone(
        deps,
        {
          app: auditApp,
          record: operationAuditCodec.encode(audit),
          recordKey: operationAuditCodec.recordKey(audit.eventId),
          uniqueFields: [RECORD_KEY_FIELD],
          decode: operationAuditCodec.decode,
          says: (stored) => sameEvent(stored, audit),
          what: "add the audit",
          name: "The operation audit",
        },
        signal,
      );
      return written.kind === "conflict" ? { kind: "conflict", problem: conflict(audit.eventId) } : written;
    },
  };
}

const conflict = (eventId: string) => ({
  code: "AUDIT_CONFLICT",
  message: "An audit of this event id exists and tells other facts. Nothing was written.",
  place: eventId,
  remedy: "Compare it with what was reported; exactly one audit belongs to an event.",
});
