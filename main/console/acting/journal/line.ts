import { z } from "zod";
import {
  givenConsent,
  MODES,
  OPERATION_KINDS,
  OPERATION_STATES,
  probe,
} from "../../../../shared/api/index.ts";
import { OPERATIONS } from "../../../../shared/domain/operations/index.ts";

export const ACTION_KIND = "FLOWNET_ACTION";
export const ACTION_FORMAT_VERSION = 1;
/** `previous` of the very first line. */
export const NO_PREVIOUS = "0".repeat(64);

const plain = z.union([z.string(), z.number(), z.boolean(), z.null()]);
const text = z.string().nullable();
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

const who = z.strictObject({
  /** Of the operating system (decisions §5). */
  account: z.string(),
  /** As the records name them. */
  requestedBy: z.string(),
  servicePrincipal: z.string(),
  host: z.string(),
  version: z.string(),
  pid: z.number().int(),
});
export type ActionWho = z.infer<typeof who>;

const subject = z.strictObject({
  profile: text,
  networkId: text,
  businessKey: text,
  runId: text,
  nodeId: text,
  requestId: text,
  jobKey: text,
});

const head = {
  kind: z.literal(ACTION_KIND),
  formatVersion: z.literal(ACTION_FORMAT_VERSION),
  /** From 1, over all files. */
  seq: z.number().int().min(1),
  /** SHA-256 of the line before, as it stands in its file. */
  previous: sha256,
  at: z.string(),
  /** Of the operation; a line about people has one of its own. */
  operationId: z.string(),
  who,
} as const;

/** Who, what, why, saw (operator-ux §2.5), written before anything is done. */
const accepted = z.strictObject({
  ...head,
  step: z.literal("accepted"),
  action: z.enum(OPERATION_KINDS),
  operation: z.enum(OPERATIONS),
  subject,
  /** The intent as it was confirmed; it never holds a secret. */
  arguments: z.record(z.string(), z.unknown()),
  seen: z.record(z.string(), z.strictObject({ recordId: z.string(), revision: z.number().int() }).nullable()),
  reason: z.string(),
  evidence: z.array(z.strictObject({ name: z.string(), sha256 })).readonly(),
  fingerprint: z.string(),
  /** Age of the plan at its confirmation, milliseconds; null where this console did not show it. */
  planAgeMs: z.number().int().nullable(),
  probes: z.array(probe).readonly(),
  consent: givenConsent,
  /** Who filed it and when, where the consent came later; null for a confirmation on the spot. */
  filed: z.strictObject({ by: z.string(), host: z.string(), at: z.string() }).nullable(),
});

const ended = z.strictObject({
  ...head,
  step: z.literal("ended"),
  state: z.enum(OPERATION_STATES),
  code: text,
  message: text,
  detail: z.record(z.string(), plain),
  /** At the moment of a forced release. */
  probes: z.array(probe).readonly(),
  /** Written by a later start of the console, which found the operation without an end. */
  recovered: z.boolean(),
});

/** An approver looked at what was done without a second person (operator-ux §2.4). */
const reviewed = z.strictObject({
  ...head,
  step: z.literal("reviewed"),
  reviewer: z.string(),
  note: z.string(),
});

/** A passphrase was registered, replaced or removed; what it is stands nowhere. */
const approver = z.strictObject({
  ...head,
  step: z.literal("approver"),
  change: z.enum(["registered", "replaced", "removed"]),
  account: z.string(),
});

/** The roles changed: saved by this console, or found in a file that something else wrote (decisions §5). */
const roles = z.strictObject({
  ...head,
  step: z.literal("roles"),
  from: z.enum(["console", "file"]),
  changes: z
    .array(
      z.strictObject({
        /** Null: whoever is not listed. */
        account: text,
        /** Null: none of its own. */
        before: z.enum(MODES).nullable(),
        after: z.enum(MODES).nullable(),
      }),
    )
    .readonly(),
  /** Code of why the file cannot be used any more; null where it can. */
  problem: text,
});

/** One line of the action journal. */
export const actionLineSchema = z.discriminatedUnion("step", [accepted, ended, reviewed, approver, roles]);
export type ActionLine = z.infer<typeof actionLineSchema>;
export type AcceptedLine = z.infer<typeof accepted>;
export type EndedLine = z.infer<typeof ended>;
export type ReviewedLine = z.infer<typeof reviewed>;
type ApproverLine = z.infer<typeof approver>;
type RolesLine = z.infer<typeof roles>;
/** Who may do what changed, or by which passphrase that is proven. */
export type PeopleLine = ApproverLine | RolesLine;

type Chained = "kind" | "formatVersion" | "seq" | "previous" | "at" | "who";
/** A line before it has its place in the chain. */
export type ActionEntry =
  | Omit<AcceptedLine, Chained>
  | Omit<EndedLine, Chained>
  | Omit<ReviewedLine, Chained>
  | Omit<ApproverLine, Chained>
  | Omit<RolesLine, Chained>;
/** The same with its time and its author. */
export type TimedEntry = ActionEntry & { readonly at: string; readonly who: ActionWho };
