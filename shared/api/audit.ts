import { oc } from "@orpc/contract";
import { z } from "zod";
import { answer, isoTime, problemSchema } from "./result.ts";
import { savedFile } from "./saved-files.ts";

/**
 * What an entry tells of; `action`, `approver` (a passphrase) and `roles` are lines of this console's own journal, the
 * others are records of the audit app.
 */
export const AUDIT_KINDS = [
  "forceRelease",
  "jobUnlock",
  "resolution",
  "close",
  "repair",
  "invocation",
  "action",
  "approver",
  "roles",
  "other",
  "unreadable",
] as const;
export type AuditKind = (typeof AUDIT_KINDS)[number];

/** Where an entry stands: the audit app by `$id`, this console's journal by its line. */
const AUDIT_SOURCES = ["records", "journal"] as const;

const auditKey = z.string().regex(/^(record|journal)-\d{1,20}$/);

const auditEntry = z.object({
  /** `record-<$id>` or `journal-<line>`. */
  key: z.string(),
  source: z.enum(AUDIT_SOURCES),
  /** `$id` or number of the line: the order within the source. */
  order: z.string(),
  revision: z.number().int().nullable(),
  kind: z.enum(AUDIT_KINDS),
  /** Which of its kind: the event type, the mode of a start, what an action was. */
  detail: z.string().nullable(),
  at: isoTime.nullable(),
  precision: z.enum(["minute", "exact"]),
  networkId: z.string().nullable(),
  runId: z.string().nullable(),
  businessKey: z.string().nullable(),
  nodeId: z.string().nullable(),
  /** Whose passphrase or role it is; several where the roles of several changed. */
  account: z.string().nullable(),
  who: z.string().nullable(),
  confirmedBy: z.string().nullable(),
  approvedBy: z.string().nullable(),
  principal: z.string().nullable(),
  result: z.string().nullable(),
  reason: z.string().nullable(),
});
export type AuditEntry = z.infer<typeof auditEntry>;

/** Where to go on in each source; `0` has been read to its end. */
const auditPlace = z.strictObject({
  records: z
    .string()
    .regex(/^\d{1,20}$/)
    .nullable(),
  journal: z
    .string()
    .regex(/^\d{1,20}$/)
    .nullable(),
});
export type AuditPlace = z.infer<typeof auditPlace>;

const auditFilter = z.strictObject({
  networkId: z.string().min(1).max(200).exactOptional(),
  /** A Run id, or a part of a business key. */
  run: z.string().min(1).max(200).exactOptional(),
  /** Looked for in everybody an entry names. */
  who: z.string().min(1).max(200).exactOptional(),
  kind: z.enum(AUDIT_KINDS).exactOptional(),
});
export type AuditFilter = z.infer<typeof auditFilter>;

const auditPage = z.object({
  entries: z.array(auditEntry).readonly(),
  /** Null when both sources were read to their end. */
  next: auditPlace.nullable(),
  /** Entries looked at for this page, matching or not: a page may be short, or empty, and not the last. */
  looked: z.number().int(),
  readAt: isoTime,
});
export type AuditPageOf = z.infer<typeof auditPage>;

/** Whether a file given as proof is kept on this host, and is still the one that was given. */
const EVIDENCE_STATES = ["matches", "differs", "absent", "unreadable"] as const;
const auditEvidence = z.object({
  sha256: z.string(),
  name: z.string().nullable(),
  bytes: z.number().int().nullable(),
  state: z.enum(EVIDENCE_STATES),
});
export type AuditEvidence = z.infer<typeof auditEvidence>;

const auditDetail = z.object({
  entry: auditEntry,
  fields: z.array(z.object({ name: z.string(), value: z.string().nullable() })).readonly(),
  evidence: z.array(auditEvidence).readonly(),
  /** Why the record cannot be read. */
  problem: problemSchema.nullable(),
  readAt: isoTime,
});
export type AuditDetail = z.infer<typeof auditDetail>;

/** Whether this console's journal is whole: each line carries the hash of the one before. */
const auditChain = z.object({
  state: z.enum(["sound", "broken", "empty", "unreadable"]),
  lines: z.number().int(),
  /** The first line that does not follow from the one before. */
  brokenAt: z.number().int().nullable(),
  /** Hash of the last line, to be written down elsewhere. */
  head: z.string().nullable(),
  problem: problemSchema.nullable(),
  checkedAt: isoTime,
});
export type AuditChain = z.infer<typeof auditChain>;

const AUDIT_FORMATS = ["csv", "json"] as const;
export type AuditFormat = (typeof AUDIT_FORMATS)[number];

/** 監査履歴: what was done, by whom, with which evidence. It only reads, page by page (operator-ux §2.5). */
export const auditContract = {
  list: oc
    .input(
      z.strictObject({
        filter: auditFilter,
        before: auditPlace.nullable(),
        limit: z.number().int().min(1).max(200),
      }),
    )
    .output(answer(auditPage)),
  entry: oc.input(z.strictObject({ key: auditKey })).output(answer(auditDetail)),
  chain: oc.input(z.strictObject({})).output(answer(auditChain)),
  /** What the filter finds, as a file; `complete` is false where it was cut at the most an export holds. */
  export: oc
    .input(z.strictObject({ filter: auditFilter, format: z.enum(AUDIT_FORMATS) }))
    .output(answer(z.object({ file: savedFile, entries: z.number().int(), complete: z.boolean() }))),
};
