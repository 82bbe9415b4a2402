import { type AttentionItem, attentionItem } from "./attention.ts";
import { countFact, exactFact, minuteFact, textFact } from "./attention-fact.ts";
import { instantOf } from "./datetime.ts";
import { DATETIME_ALLOWANCE_MS } from "./lease.ts";
import { isStaleClaim, type OperationRequest, type ParsedRequest } from "./request.ts";

/**
 * How long a request may wait for its claim before somebody should look at the poller, milliseconds. Twenty cycles of a
 * resident of ours, and two of a one-shot poller that a scheduler starts every five minutes.
 */
const POLLER_SILENT_AFTER_MS = 600_000;

/** The poller of this console, if it has one. */
export interface PollerPicture {
  /** Last cycle that read the list, ISO-8601; null before the first. */
  readonly lastSuccessAt: string | null;
  /** Code of what keeps it from reading the list; null when the last cycle read it. */
  readonly problem: string | null;
}

/** The open requests as last read, and who carries them out. */
export interface RequestsPicture {
  /** REQUESTED and ACCEPTED, in any order. */
  readonly open: readonly ParsedRequest[];
  /** Null: this console carries no requests out; another host may. */
  readonly poller: PollerPicture | null;
  /** Silence after which a claim may be stale, milliseconds (wire-format §4.6). */
  readonly staleAfterMs: number;
}

type UnreadableRequest = Extract<ParsedRequest, { readonly valid: false }>;

const validOf = (open: readonly ParsedRequest[]): readonly OperationRequest[] =>
  open.flatMap((each) => (each.valid ? [each.request] : []));

/**
 * What the request app says that needs somebody: claims that have been silent for too long or whose record cannot be
 * read, one item each, and requests that nobody takes up, one item for all (operator-ux §1.1). `now` in epoch
 * milliseconds.
 */
export function requestAttention(picture: RequestsPicture, now: number): readonly AttentionItem[] {
  const requests = validOf(picture.open);
  const claimed = requests.filter(({ state }) => state === "ACCEPTED");
  const isStale = ({ claim }: OperationRequest): boolean =>
    isStaleClaim(claim?.heartbeatAt ?? "", now, picture.staleAfterMs);
  const stale = claimed.filter(isStale);
  const silent = silentItem(picture, requests, { working: claimed.length > stale.length, now });
  const unreadable = picture.open.flatMap((each) => (each.valid ? [] : unreadableClaim(each)));
  return [...stale.map(staleItem), ...unreadable, ...(silent === null ? [] : [silent])];
}

/** What a request is about, for its item. */
const about = ({ id, networkId, runId, businessKey }: OperationRequest) => ({
  requestId: id,
  networkId,
  runId: runId === "" ? null : runId,
  businessKey,
});

function staleItem(request: OperationRequest): AttentionItem {
  const { id, type, creatorCode, reason, claim } = request;
  const heartbeat = claim?.heartbeatAt ?? null;
  return attentionItem("staleRequest", {
    id: `staleRequest:${id}`,
    ...about(request),
    since: heartbeat === null ? null : { at: heartbeat, precision: "minute" },
    facts: [
      textFact("requestId", id),
      textFact("requestType", type),
      textFact("claimedHost", claim?.host ?? null),
      minuteFact("claimedAt", claim?.at ?? null),
      minuteFact("heartbeat", heartbeat),
      textFact("requestedBy", creatorCode),
      textFact("reason", reason),
    ],
  });
}

/** No poller ends a claim that it cannot read, and its heartbeat tells nobody whether it is still at work. */
function unreadableClaim({ identity, issues }: UnreadableRequest): readonly AttentionItem[] {
  if (identity?.state !== "ACCEPTED") return [];
  const { id } = identity;
  const finding = issues.map(({ code, field }) => `${field}: ${code}`).join(", ");
  return [
    attentionItem("staleRequest", {
      id: `staleRequest:${id}`,
      requestId: id,
      since: null,
      facts: [textFact("requestId", id), textFact("finding", finding)],
    }),
  ];
}

/**
 * Whoever shows life in a claim is a poller that works, one at a time by design: what waits behind it is no silence. A
 * poller of this console that reads the list leaves a request only while its network's lock is taken.
 */
function silentItem(
  { poller }: RequestsPicture,
  requests: readonly OperationRequest[],
  { working, now }: { readonly working: boolean; readonly now: number },
): AttentionItem | null {
  const waiting = requests
    .filter(({ state, cancelRequested }) => state === "REQUESTED" && !cancelRequested)
    .toSorted((a, b) => Number(a.id) - Number(b.id));
  const [oldest] = waiting;
  const failing = poller !== null && poller.problem !== null && isOld(poller.lastSuccessAt, now);
  const reading = poller !== null && poller.problem === null && !isOld(poller.lastSuccessAt, now);
  const unheard = oldest !== undefined && !working && !reading && isOld(oldest.createdAt, now);
  if (!failing && !unheard) return null;
  return attentionItem("pollerSilent", {
    id: "pollerSilent",
    since:
      oldest === undefined
        ? poller?.lastSuccessAt == null
          ? null
          : { at: poller.lastSuccessAt, precision: "exact" }
        : { at: oldest.createdAt, precision: "minute" },
    code: poller?.problem ?? null,
    facts: [
      countFact("waitingRequests", waiting.length),
      textFact("requestId", oldest?.id ?? null),
      minuteFact("oldestRequest", oldest?.createdAt ?? null),
      textFact("pollerHere", poller === null ? "no" : "yes"),
      ...(poller === null ? [] : [exactFact("lastPoll", poller.lastSuccessAt)]),
    ],
  });
}

/** Longer ago than the limit, the minute that records lose allowed for; never at all counts as long ago. */
function isOld(at: string | null, now: number): boolean {
  const instant = at === null ? null : instantOf(at);
  return instant === null || now - instant > POLLER_SILENT_AFTER_MS + DATETIME_ALLOWANCE_MS;
}
