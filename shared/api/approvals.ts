import { oc } from "@orpc/contract";
import { z } from "zod";
import { operationPlanSchema } from "../contract/operation-plan.ts";
import { friction } from "./acting.ts";
import { intent } from "./acting-intent.ts";
import { givenConsent, OPERATION_KINDS, OPERATION_STATES } from "./operations.ts";
import { answer, isoTime } from "./result.ts";

/** Fewest characters of a passphrase that stands for a person. */
export const PASSPHRASE_MIN = 12;
export const PASSPHRASE_MAX = 1000;
/** How long a filed request may be approved, milliseconds (operator-ux §2.4). */
export const CONSENT_EXPIRY_MS = 15 * 60_000;

const account = z.string().min(1).max(200);
const passphrase = z.string().min(1).max(PASSPHRASE_MAX);

const approversView = z.object({
  /** Accounts whose role is to approve; a passphrase counts only for these. */
  approvers: z
    .array(
      z.object({
        account: z.string(),
        /** Null: none yet. */
        registeredAt: isoTime.nullable(),
        /** The account of the session that set it; null: none yet, or not kept by an earlier version. */
        setBy: z.string().nullable(),
        /** Whether this session may set or remove it; main refuses the rest. */
        mayChange: z.boolean(),
      }),
    )
    .readonly(),
  /** Of this session. */
  account: z.string(),
});
export type ApproversView = z.infer<typeof approversView>;

/** An approver and whose session set the passphrase; null where that was not kept. */
export type SetPassphrase = Pick<ApproversView["approvers"][number], "account" | "setBy">;

/**
 * Who set the passphrase in the approver's place; null where the approver did, or where it is not known. Compared as the
 * accounts are spelled: a likeness does not make somebody the owner. Pure.
 */
export const setByAnother = ({ account, setBy }: SetPassphrase): string | null =>
  setBy === null || setBy.toLowerCase() === account.toLowerCase() ? null : setBy;

/** A request for consent as it was filed; nothing of it changes until somebody approves, withdraws, or it expires. */
export const filedRequest = z.object({
  requestId: z.string(),
  intent,
  /** What the requester saw. */
  plan: operationPlanSchema,
  friction,
  filedBy: z.string(),
  host: z.string(),
  filedAt: isoTime,
  expiresAt: isoTime,
});
export type FiledRequest = z.infer<typeof filedRequest>;

const filedList = z.object({ requests: z.array(filedRequest).readonly(), readAt: isoTime });
export type FiledList = z.infer<typeof filedList>;

/** Something done without a second person, until an approver looked at it (operator-ux §2.4, "One-person sites"). */
const breakGlassAction = z.object({
  operationId: z.string(),
  kind: z.enum(OPERATION_KINDS),
  networkId: z.string().nullable(),
  businessKey: z.string().nullable(),
  runId: z.string().nullable(),
  nodeId: z.string().nullable(),
  jobKey: z.string().nullable(),
  account: z.string(),
  host: z.string(),
  at: isoTime,
  reason: z.string(),
  evidence: z.array(z.object({ name: z.string(), sha256: z.string() })).readonly(),
  /** Why it has to be reviewed. */
  consent: givenConsent,
  /** Null while it is under way. */
  state: z.enum(OPERATION_STATES).nullable(),
  code: z.string().nullable(),
});
export type BreakGlassAction = z.infer<typeof breakGlassAction>;

const fileInput = z.strictObject({
  requestId: z.uuid(),
  intent,
  seen: z.record(z.string(), z.strictObject({ recordId: z.string(), revision: z.number().int() }).nullable()),
  fingerprint: z.string().min(1).max(200),
  typed: z.string().max(1000),
});
export type FileRequest = z.infer<typeof fileInput>;

const approveInput = z.strictObject({
  requestId: z.uuid(),
  /** Of the operation that begins with the consent. */
  operationId: z.uuid(),
  account,
  passphrase,
});
export type ApproveRequest = z.infer<typeof approveInput>;

const reviewInput = z.strictObject({
  operationId: z.uuid(),
  account,
  passphrase,
  note: z.string().trim().min(1).max(2000),
});
export type ReviewAction = z.infer<typeof reviewInput>;

/** 承認: whose word counts, what waits for one, and what was done without. A passphrase goes in and never comes out. */
export const approvalsContract = {
  approvers: oc.input(z.strictObject({})).output(answer(approversView)),
  register: oc.input(z.strictObject({ account, passphrase })).output(answer(approversView)),
  remove: oc.input(z.strictObject({ account })).output(answer(approversView)),
  file: oc.input(fileInput).output(answer(filedRequest)),
  list: oc.input(z.strictObject({})).output(answer(filedList)),
  approve: oc.input(approveInput).output(answer(z.object({ operationId: z.string(), acceptedAt: isoTime }))),
  withdraw: oc.input(z.strictObject({ requestId: z.uuid() })).output(answer(filedList)),
  listBreakGlass: oc
    .input(z.strictObject({}))
    .output(answer(z.object({ actions: z.array(breakGlassAction).readonly(), readAt: isoTime }))),
  review: oc
    .input(reviewInput)
    .output(answer(z.object({ actions: z.array(breakGlassAction).readonly(), readAt: isoTime }))),
};
