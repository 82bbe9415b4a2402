import type { AttentionFact } from "./attention-fact.ts";

export const URGENCIES = ["critical", "high", "medium", "low"] as const;
export type Urgency = (typeof URGENCIES)[number];

/** Who is to act: whoever is on shift, or whoever may judge evidence (operator-ux §5.2). */
export const RESPONDERS = ["first", "second"] as const;
export type Responder = (typeof RESPONDERS)[number];

/** What needs somebody, most urgent first (operator-ux §1.1; orchestration: one place to see what needs action). */
export const ATTENTION_KINDS = [
  "unknown",
  "staleLock",
  "interrupted",
  "staleRequest",
  "pollerSilent",
  "retryBrake",
  "failed",
  "contradictory",
  "held",
  "halfCreated",
  "lateMissing",
  "lateUnfinished",
  "cancelled",
] as const;
export type AttentionKind = (typeof ATTENTION_KINDS)[number];

const NATURE: Readonly<Record<AttentionKind, readonly [Urgency, Responder]>> = {
  unknown: ["critical", "second"],
  staleLock: ["high", "second"],
  interrupted: ["high", "second"],
  staleRequest: ["high", "second"],
  pollerSilent: ["high", "first"],
  retryBrake: ["medium", "second"],
  failed: ["medium", "first"],
  contradictory: ["medium", "second"],
  held: ["low", "first"],
  halfCreated: ["low", "second"],
  lateMissing: ["low", "first"],
  lateUnfinished: ["low", "first"],
  cancelled: ["low", "first"],
};

/** A moment and how well it is known: a record's time is kept to the minute (wire-format §5). */
export interface Moment {
  readonly at: string;
  readonly precision: "minute" | "exact";
}

export interface AttentionSubject {
  readonly networkId: string | null;
  readonly runId: string | null;
  readonly businessKey: string | null;
  readonly nodeId: string | null;
  readonly attemptId: string | null;
  readonly attemptNo: number | null;
  readonly lockRecordId: string | null;
  readonly requestId: string | null;
}

export interface AttentionItem extends AttentionSubject {
  /** The same for as long as the same thing is wrong, whatever is learnt about it. */
  readonly id: string;
  readonly kind: AttentionKind;
  readonly urgency: Urgency;
  readonly responder: Responder;
  /** Since when, as far as the records tell; null when they do not. */
  readonly since: Moment | null;
  /** Result or finding code behind it. */
  readonly code: string | null;
  /** How often in a row, where that counts (orchestration §4.6). */
  readonly repeated: number | null;
  readonly facts: readonly AttentionFact[];
}

const NOBODY: AttentionSubject = {
  networkId: null,
  runId: null,
  businessKey: null,
  nodeId: null,
  attemptId: null,
  attemptNo: null,
  lockRecordId: null,
  requestId: null,
};

type ItemParts = Pick<AttentionItem, "id" | "since" | "facts"> & Partial<AttentionItem>;

/** An item of a kind, with the urgency and the responder of its kind. */
export function attentionItem(kind: AttentionKind, parts: ItemParts): AttentionItem {
  const [urgency, responder] = NATURE[kind];
  return { ...NOBODY, code: null, repeated: null, ...parts, kind, urgency, responder };
}

const rank = (item: AttentionItem): number =>
  URGENCIES.indexOf(item.urgency) * ATTENTION_KINDS.length + ATTENTION_KINDS.indexOf(item.kind);

/** Order of the list: urgency, kind, the longest waiting first, then by id so that nothing moves by chance. */
export function byUrgency(left: AttentionItem, right: AttentionItem): number {
  const byRank = rank(left) - rank(right);
  if (byRank !== 0) return byRank;
  const [a, b] = [left.since?.at ?? "", right.since?.at ?? ""];
  if (a !== b) return a < b ? -1 : 1;
  return left.id < right.id ? -1 : left.id > right.id ? 1 : 0;
}

/** One source of the list and how its last reading went. */
export interface SourceReading {
  /** Last successful reading; null before the first. */
  readonly readAt: string | null;
  readonly failed: boolean;
  /** Subjects that are still to be read. */
  readonly pending: number;
}

/** True only when nothing is wrong and every source was read to its end: silence proves nothing otherwise. */
export function nothingToDo(items: number, sources: readonly SourceReading[]): boolean {
  return (
    items === 0 && sources.every(({ readAt, failed, pending }) => readAt !== null && !failed && pending === 0)
  );
}
