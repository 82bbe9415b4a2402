import type { Attempt, Stored } from "../../../shared/domain/model.ts";
import type { Problem, Result } from "../../../shared/domain/problem.ts";
import {
  attemptCodec,
  auditQueries,
  HISTORY_TYPES,
  type HistoryType,
  inLists,
  invocationCodec,
  operationAuditCodec,
  RECORD_TYPE_FIELD,
  recordsByIds,
  resolutionCodec,
  revisionTextOf,
} from "../../../shared/records/index.ts";
import {
  getRecords,
  type RawRecord,
  type ReadDeps,
  recordIdOf,
  requireValue,
  sendRead,
} from "../../kintone-client/index.ts";
import type { AuditReads, AuditRecord, AuditRecordKind, ResolvedAttempt } from "../ports.ts";

const TYPE_OF: Readonly<Record<AuditRecordKind, HistoryType>> = {
  operation: "OPERATION_AUDIT",
  resolution: "ATTEMPT_RESOLUTION",
  invocation: "RUN_INVOCATION",
};

/** The history of the audit app over HTTP: keyset pages by `$id` descending, no offsets (wire-format §4.2). */
export function createAuditReads(deps: ReadDeps, auditApp: number): AuditReads {
  const read = async (query: string, what: string, signal?: AbortSignal): Promise<readonly RawRecord[]> =>
    requireValue(await sendRead(deps, getRecords(auditApp, query), signal ? { signal } : {}), what);

  async function attemptsOf(
    records: readonly AuditRecord[],
    signal?: AbortSignal,
  ): Promise<ReadonlyMap<string, ResolvedAttempt>> {
    const ids = records.flatMap((each) => (each.kind === "resolution" ? [each.resolution.attemptId] : []));
    const found = new Map<string, ResolvedAttempt>();
    for (const list of inLists([...new Set(ids)])) {
      for (const raw of await read(auditQueries.attemptsByIds(list), "read the attempts", signal)) {
        const attempt: Result<Stored<Attempt>> = attemptCodec.decode(raw);
        if (!attempt.ok) continue;
        const { attemptId, runId, nodeId, attemptNo } = attempt.value;
        found.set(attemptId, { runId, nodeId, attemptNo });
      }
    }
    return found;
  }

  async function withAttempts(records: readonly AuditRecord[], signal?: AbortSignal) {
    const attempts = await attemptsOf(records, signal);
    return records.map((each) =>
      each.kind === "resolution"
        ? { ...each, attempt: attempts.get(each.resolution.attemptId) ?? null }
        : each,
    );
  }

  return {
    async listAudits({ beforeId, limit, kinds, runId }, signal) {
      const types = HISTORY_TYPES.filter((type) => kinds.some((kind) => TYPE_OF[kind] === type));
      if (types.length === 0) return { records: [], next: null, looked: 0 };
      const query = auditQueries.history({ types, runId, beforeId, limit });
      const rows = await read(query, "read the history", signal);
      const records = await withAttempts(rows.map(recordOf), signal);
      const last = rows.at(-1);
      return {
        records: runId === null ? records : records.filter((record) => isOfRun(record, runId)),
        next: last === undefined || rows.length < limit ? null : recordIdOf(last),
        looked: rows.length,
      };
    },
    async readAudit(recordId, signal) {
      const [raw] = await read(recordsByIds([recordId]), "read the record", signal);
      if (raw === undefined) return null;
      const [record] = await withAttempts([recordOf(raw)], signal);
      return record ?? null;
    },
  };
}

/** kintone compares tokens on some columns (kintone-rest W10): compared once more, exactly. */
function isOfRun(record: AuditRecord, runId: string): boolean {
  switch (record.kind) {
    case "operation":
      return record.audit.runId === runId;
    case "invocation":
      return record.invocation.runId === runId;
    case "resolution":
      return record.attempt?.runId === runId;
    case "unreadable":
      return true;
  }
}

function recordOf(raw: RawRecord): AuditRecord {
  const audit = operationAuditCodec.decode(raw);
  if (audit.ok) return { kind: "operation", audit: audit.value };
  const invocation = invocationCodec.decode(raw);
  if (invocation.ok) return { kind: "invocation", invocation: invocation.value };
  const resolution = resolutionCodec.decode(raw);
  if (resolution.ok) return { kind: "resolution", resolution: resolution.value, attempt: null };
  const problems: readonly Problem[] = [audit.error, invocation.error, resolution.error];
  const own = problems.find(({ details }) => details?.field !== RECORD_TYPE_FIELD) ?? audit.error;
  const revision = Number(revisionTextOf(raw) ?? "");
  return {
    kind: "unreadable",
    recordId: recordIdOf(raw) ?? "",
    revision: Number.isSafeInteger(revision) && revision > 0 ? revision : null,
    problem: own,
  };
}
