import { FREE_WORDS, type Intent, type IntentKind, intent as intentSchema } from "../../shared/api/index.ts";
import type { PlanSubject } from "../../shared/domain/operations/operation.ts";
import type { EvidenceFile } from "./evidence-files.ts";

/** Whose word stands beside the operator's (operator-ux §2.4): given here, asked for, or replaced by a sentence. */
export const CONSENT_WAYS = ["person", "ask", "breakGlass"] as const;
export type ConsentWay = (typeof CONSENT_WAYS)[number];

/** What an operator has filled in so far. Kept when the dialog closes, until the window does; secrets are not in it. */
export interface ActionDraft {
  readonly intent: Intent;
  /** What the opener knew of the subject, to name it before the plan is there. */
  readonly subject: Partial<PlanSubject>;
  readonly typed: string;
  readonly account: string;
  readonly consent: ConsentWay;
  readonly sentence: string;
  readonly files: readonly EvidenceFile[];
}

export const freshDraft = (intent: Intent, subject: Partial<PlanSubject>): ActionDraft => ({
  intent,
  subject,
  typed: "",
  account: "",
  consent: "person",
  sentence: "",
  files: [],
});

/** Under which name a draft is found again: what is done, and to what. */
export function draftKey(intent: Intent): string {
  const parts: Readonly<Record<string, unknown>> = intent;
  const names = [
    "kind",
    "runId",
    "nodeId",
    "fromNode",
    "recordId",
    "jobKey",
    "requestId",
    "type",
    "networkId",
  ];
  return JSON.stringify(names.map((name) => parts[name] ?? null));
}

/** Whether a plan of `before` still is one of `after`: typing a reason asks kintone nothing (operator-ux U8). */
export function samePlan(before: Intent, after: Intent): boolean {
  const was: Readonly<Record<string, unknown>> = before;
  return Object.entries(after).every(([name, value]) => was[name] === value || FREE_WORDS.has(name));
}

/** A change of some fields of an intent; its kind stays. */
export type IntentChange = {
  readonly [Kind in IntentKind]: Partial<Omit<Extract<Intent, { readonly kind: Kind }>, "kind">>;
}[IntentKind];

/** The intent with a change; null when that is none any more, such as a text beyond its bound. */
export function changedIntent(intent: Intent, change: IntentChange): Intent | null {
  const parsed = intentSchema.safeParse({ ...intent, ...change });
  return parsed.success ? parsed.data : null;
}
