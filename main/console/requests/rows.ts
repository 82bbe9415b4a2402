import type { PollerView, RequestListRow, RequestView } from "../../../shared/api/index.ts";
import { requestAttention } from "../../../shared/domain/attention-request.ts";
import { requestCancelProblem } from "../../../shared/domain/operations/index.ts";
import { isStaleClaim, type OperationRequest, type ParsedRequest } from "../../../shared/domain/request.ts";
import type { PollerHealth } from "../../orchestrator/index.ts";
import type { QueuePicture } from "./queue.ts";

/** What a row is made by. */
export interface RowFacts {
  readonly open: readonly ParsedRequest[];
  readonly host: string;
  /** Milliseconds. */
  readonly staleAfterMs: number;
  /** Epoch milliseconds. */
  readonly now: number;
}

const validRequests = (open: readonly ParsedRequest[]): readonly OperationRequest[] =>
  open.flatMap((each) => (each.valid ? [each.request] : []));

/** Id of a record, as far as it can be read. */
export const requestIdOf = (parsed: ParsedRequest): string | null =>
  parsed.valid ? parsed.request.id : (parsed.identity?.id ?? null);

/** A record as the page shows it; what breaks its app's rules is told with its issues, not guessed (orchestration §7.2). */
export function rowOf(parsed: ParsedRequest, facts: RowFacts): RequestListRow {
  if (parsed.valid) return { readable: true, request: viewOf(parsed.request, facts) };
  const { identity, issues } = parsed;
  const record = {
    id: identity?.id ?? null,
    revision: identity?.revision ?? null,
    state: identity?.state ?? null,
    issues: issues.map(({ code, field }) => ({ code, field })),
  };
  return { readable: false, record };
}

const CANCEL_CODES = ["REQUEST_CLAIMED", "REQUEST_ENDED", "CANCEL_ALREADY_REQUESTED"] as const;

function viewOf(request: OperationRequest, { open, host, staleAfterMs, now }: RowFacts): RequestView {
  const { claim, runId, ...same } = request;
  const refusal = requestCancelProblem(request)?.code;
  const standing = request.state === "REQUESTED" || request.state === "ACCEPTED";
  return {
    ...same,
    runId: runId === "" ? null : runId,
    claim: claim === null ? null : { ...claim, thisHost: claim.host === host },
    silent: request.state === "ACCEPTED" && isStaleClaim(claim?.heartbeatAt ?? "", now, staleAfterMs),
    duplicates: standing
      ? validRequests(open).flatMap((each) => (isSame(each, request) ? [each.id] : []))
      : [],
    cancelProblem: CANCEL_CODES.find((code) => code === refusal) ?? null,
  };
}

/** Another open request about the same Run, or for the same new one; compared exactly (orchestration §11.3). */
function isSame(other: OperationRequest, request: OperationRequest): boolean {
  if (other.id === request.id || (other.type === "START") !== (request.type === "START")) return false;
  if (request.type !== "START") return other.runId === request.runId;
  return (
    other.networkId === request.networkId &&
    other.businessKey === request.businessKey &&
    other.scheduledFor === request.scheduledFor
  );
}

/** The poller of this console, as far as it has one. */
export interface OwnPoller {
  readonly intervalMs: number;
  health(): PollerHealth;
}

/** Who carries requests out, out of what was read and of this console's own poller. `now` in epoch milliseconds. */
export function pollerView(
  { open, recent }: QueuePicture,
  own: OwnPoller | null,
  { staleAfterMs, now }: Pick<RowFacts, "staleAfterMs" | "now">,
): PollerView {
  const requests = validRequests(open);
  const waiting = requests
    .filter(({ state, cancelRequested }) => state === "REQUESTED" && !cancelRequested)
    .toSorted((a, b) => Number(a.id) - Number(b.id));
  const [oldest] = waiting;
  const [lastClaim] = [...requests, ...validRequests(recent)]
    .flatMap(({ claim }) => (claim === null ? [] : [{ host: claim.host, at: claim.at }]))
    .toSorted((a, b) => (a.at < b.at ? 1 : -1));
  const health = own?.health() ?? null;
  const poller = pollerPicture(health);
  return {
    here: own !== null,
    intervalMs: own?.intervalMs ?? null,
    lastSuccessAt: poller?.lastSuccessAt ?? null,
    problem: health?.problem ?? null,
    running: health?.running ?? 0,
    waiting: waiting.length,
    accepted: requests.filter(({ state }) => state === "ACCEPTED").length,
    oldestWaiting: oldest === undefined ? null : { id: oldest.id, createdAt: oldest.createdAt },
    lastClaim: lastClaim ?? null,
    silent: requestAttention({ open, poller, staleAfterMs }, now).some(({ kind }) => kind === "pollerSilent"),
  };
}

/** A poller's health as the list of what needs somebody judges it. */
export function pollerPicture(health: PollerHealth | null) {
  if (health === null) return null;
  const { lastSuccessAt, problem } = health;
  return {
    lastSuccessAt: lastSuccessAt === null ? null : new Date(lastSuccessAt).toISOString(),
    problem: problem?.code ?? null,
  };
}
