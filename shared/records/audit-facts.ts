import type { OperationAudit } from "../domain/model.ts";

/** What an OPERATION_AUDIT tells of: the types this program writes, and any other one by its name. */
const AUDIT_EVENT_KINDS = ["repair", "jobUnlock", "forceRelease", "close", "other"] as const;
export type AuditEventKind = (typeof AUDIT_EVENT_KINDS)[number];

const KIND_OF: Readonly<Record<string, AuditEventKind>> = {
  RECONCILIATION_REPAIR: "repair",
  JOB_LOCK_FORCE_UNLOCK_RECORDED: "jobUnlock",
  NETWORK_LOCK_FORCE_RELEASED: "forceRelease",
  RUN_ARCHIVED: "close",
};

/** The part of an event that every type has in common, as far as it has it (wire-format §1.5). */
export interface AuditFacts {
  readonly kind: AuditEventKind;
  /** `event_type`, or what an event without one is filed under. */
  readonly eventType: string;
  readonly networkId: string | null;
  readonly nodeId: string | null;
  readonly requestedBy: string | null;
  readonly stopConfirmedBy: string | null;
  readonly servicePrincipal: string | null;
  readonly reason: string | null;
}

/** Reads an event whatever wrote it: a key that is missing or no text counts as not told. Pure. */
export function auditFacts({ event, resultCode }: OperationAudit): AuditFacts {
  const told = (key: string): string | null => {
    const value = event[key];
    return typeof value === "string" && value !== "" ? value : null;
  };
  const eventType = told("event_type") ?? resultCode;
  return {
    kind: KIND_OF[eventType] ?? "other",
    eventType,
    networkId: told("network_id"),
    nodeId: told("node_id"),
    requestedBy: told("requested_by"),
    stopConfirmedBy: told("stop_confirmed_by"),
    servicePrincipal: told("service_principal"),
    reason: told("reason") ?? told("basis"),
  };
}

/** A key as the pages name it: `stop_evidence_ref` is `stopEvidenceRef`. */
const nameOf = (key: string): string =>
  key.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** One fact of an event: its dotted name and its value as text; null where the record holds none. */
export interface AuditField {
  readonly name: string;
  readonly value: string | null;
}

const DEEPEST = 6;

/** Every fact of an event, nested ones by their dotted names, in the order of the record. Pure. */
export function auditFields(value: unknown, prefix = "", depth = 0): readonly AuditField[] {
  if (value === null || value === undefined) return [{ name: prefix, value: null }];
  if (typeof value !== "object") return [{ name: prefix, value: String(value) }];
  const entries = Object.entries(value);
  if (entries.length === 0) return [{ name: prefix, value: null }];
  if (depth >= DEEPEST) return [{ name: prefix, value: JSON.stringify(value) }];
  return entries.flatMap(([key, inner]) =>
    auditFields(inner, prefix === "" ? nameOf(key) : `${prefix}.${nameOf(key)}`, depth + 1),
  );
}

/** SHA-256 of files named anywhere in an event, in hex, each once. Pure. */
export function sha256sIn(fields: readonly AuditField[]): readonly string[] {
  const evidence = fields.filter(({ name }) => /evidence/i.test(name));
  const found = evidence.flatMap(({ value }) => value?.match(/(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])/g) ?? []);
  return [...new Set(found)];
}
