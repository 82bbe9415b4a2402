import type { AuditEntry, AuditFilter } from "../../../shared/api/index.ts";
import { foldForSearch, type RunRow } from "../../../shared/api/index.ts";
import { auditFacts } from "../../../shared/records/index.ts";
import type { AuditRecord } from "../../store/index.ts";
import type { HistoryItem } from "./ports.ts";

/** What a Run is called, as far as the picture knows it. */
export type RunOf = (runId: string) => Pick<RunRow, "networkId" | "businessKey"> | undefined;

/** What no entry tells of itself. */
export const nothing = {
  detail: null,
  at: null,
  precision: "exact",
  networkId: null,
  runId: null,
  businessKey: null,
  nodeId: null,
  account: null,
  who: null,
  confirmedBy: null,
  approvedBy: null,
  principal: null,
  result: null,
  reason: null,
} as const satisfies Partial<AuditEntry>;

const filled = (text: string | null): string | null => (text === "" ? null : text);

/** Name and network of the Run an entry belongs to. */
function ofRun(runId: string | null, runOf: RunOf) {
  const run = runId === null ? undefined : runOf(runId);
  return { runId, networkId: run?.networkId ?? null, businessKey: run?.businessKey ?? null };
}

/** A record of the audit app as an entry of the history. Pure. */
export function itemOfRecord(record: AuditRecord, runOf: RunOf): HistoryItem {
  switch (record.kind) {
    case "operation":
      return operationItem(record.audit, runOf);
    case "resolution":
      return resolutionItem(record, runOf);
    case "invocation":
      return invocationItem(record.invocation, runOf);
    case "unreadable": {
      const { recordId, revision, problem } = record;
      const place = { key: `record-${recordId}`, source: "records", order: recordId, revision } as const;
      return { entry: { ...nothing, ...place, kind: "unreadable" }, facts: {}, problem };
    }
  }
}

const placeOf = ({ recordId, revision }: { readonly recordId: string; readonly revision: number }) =>
  ({ key: `record-${recordId}`, source: "records", order: recordId, revision }) as const;

function operationItem(
  audit: Extract<AuditRecord, { kind: "operation" }>["audit"],
  runOf: RunOf,
): HistoryItem {
  const facts = auditFacts(audit);
  const run = ofRun(audit.runId, runOf);
  return {
    entry: {
      ...nothing,
      ...placeOf(audit.ref),
      ...run,
      networkId: facts.networkId ?? run.networkId,
      kind: facts.kind,
      detail: facts.eventType,
      at: filled(audit.resolvedAt),
      nodeId: facts.nodeId,
      who: facts.requestedBy,
      confirmedBy: facts.stopConfirmedBy,
      principal: facts.servicePrincipal,
      result: filled(audit.resultCode),
      reason: facts.reason,
    },
    facts: audit.event,
    problem: null,
  };
}

function resolutionItem(
  { resolution, attempt }: Extract<AuditRecord, { kind: "resolution" }>,
  runOf: RunOf,
): HistoryItem {
  const { ref, ...facts } = resolution;
  return {
    entry: {
      ...nothing,
      ...placeOf(ref),
      ...ofRun(attempt?.runId ?? null, runOf),
      kind: "resolution",
      detail: resolution.resolutionType,
      at: resolution.resolvedAt,
      nodeId: attempt?.nodeId ?? null,
      who: filled(resolution.requestedBy),
      confirmedBy: filled(resolution.stopConfirmedBy),
      approvedBy: resolution.approvedBy,
      principal: filled(resolution.servicePrincipal),
      result: resolution.outcome,
      reason: filled(resolution.reason),
    },
    facts: attempt === null ? facts : { ...facts, ...attempt },
    problem: null,
  };
}

function invocationItem(
  invocation: Extract<AuditRecord, { kind: "invocation" }>["invocation"],
  runOf: RunOf,
): HistoryItem {
  const { ref, ...facts } = invocation;
  return {
    entry: {
      ...nothing,
      ...placeOf(ref),
      ...ofRun(invocation.runId, runOf),
      kind: "invocation",
      detail: invocation.mode,
      at: invocation.startedAt,
      precision: "minute",
      who: filled(invocation.requestedBy),
      principal: filled(invocation.host),
      result: invocation.resultCode,
      reason: filled(invocation.reason),
    },
    facts,
    problem: null,
  };
}

/** Whether an entry is asked for. What cannot be read fits every question but one for another kind. Pure. */
export function fits(entry: AuditEntry, { networkId, run, who, kind }: AuditFilter): boolean {
  if (kind !== undefined && entry.kind !== kind) return false;
  if (entry.kind === "unreadable") return true;
  if (networkId !== undefined && entry.networkId !== networkId) return false;
  const holds = (text: string | null, part: string): boolean =>
    text !== null && foldForSearch(text).includes(foldForSearch(part));
  if (run !== undefined && entry.runId !== run && !holds(entry.businessKey, run)) return false;
  const people = [entry.account, entry.who, entry.confirmedBy, entry.approvedBy, entry.principal];
  return who === undefined || people.some((each) => holds(each, who));
}
