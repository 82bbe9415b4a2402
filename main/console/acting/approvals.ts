import type {
  ApproveRequest,
  BreakGlassAction,
  FiledList,
  FiledRequest,
  FileRequest,
  ReviewAction,
} from "../../../shared/api/index.ts";
import { CONSENT_EXPIRY_MS } from "../../../shared/api/index.ts";
import { fail, ok, type Problem, type Result } from "../../../shared/domain/problem.ts";
import { type ActingDeps, acceptedBefore, checkedPlan, confirm } from "./acting.ts";
import type { ActionJournal, RecordedAction } from "./journal/index.ts";
import type { Approvers } from "./people/approvers.ts";
import { type FiledRequests, shownRequest } from "./people/filed-requests.ts";

/** What an approver has not looked at yet, newest first. */
export interface BreakGlassList {
  readonly actions: readonly BreakGlassAction[];
  readonly readAt: string;
}

export interface Approvals {
  readonly approvers: Pick<Approvers, "view" | "register" | "remove">;
  /** Freezes intent and plan until somebody approves (operator-ux §2.4). Codes: those of an execution, `CONSENT_NOT_NEEDED`. */
  file(input: FileRequest, signal?: AbortSignal): Promise<Result<FiledRequest>>;
  list(): Promise<FiledList>;
  /** Plans anew, refuses what moved, and carries out. Codes: those of an execution, `CONSENT_REQUEST_GONE`. */
  approve(
    input: ApproveRequest,
    signal?: AbortSignal,
  ): Promise<Result<{ readonly operationId: string; readonly acceptedAt: string }>>;
  /** Code `CONSENT_REQUEST_GONE`. */
  withdraw(requestId: string): Promise<Result<FiledList>>;
  listBreakGlass(): Promise<BreakGlassList>;
  /** An approver's word that he looked at it. Codes: those of a consent, `REVIEW_NOT_DUE`, `REVIEW_NOT_INDEPENDENT`. */
  review(input: ReviewAction): Promise<Result<BreakGlassList>>;
}

export interface ApprovalsDeps {
  readonly acting: ActingDeps;
  readonly approvers: Approvers;
  readonly filed: FiledRequests;
  readonly journal: ActionJournal;
  readonly host: string;
  /** What waits for an approver is not what it was. */
  readonly changed: () => void;
  /** Epoch milliseconds. */
  readonly nowMs: () => number;
}

/** Consent that comes later, and reviews of what was done without (operator-ux §2.4). */
export function createApprovals(deps: ApprovalsDeps): Approvals {
  const { approvers, filed, nowMs } = deps;
  const now = (): string => new Date(nowMs()).toISOString();
  const list = async (): Promise<FiledList> => ({
    requests: (await filed.open()).map(shownRequest),
    readAt: now(),
  });
  const listBreakGlass = async (): Promise<BreakGlassList> => ({
    actions: (await unreviewed(deps.journal)).map(toldOf),
    readAt: now(),
  });
  /** Told also after a refusal: what it was refused for may be that the request is gone. */
  const telling = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } finally {
      deps.changed();
    }
  };
  return {
    approvers,
    file: (input, signal) => telling(file(deps, input, signal)),
    list,
    approve: (input, signal) => telling(approve(deps, input, signal)),
    withdraw: (requestId) =>
      telling(filed.take(requestId)).then(async (taken) => (taken.ok ? ok(await list()) : taken)),
    listBreakGlass,
    review: (input) =>
      telling(review(deps, input)).then(async (reviewed) =>
        reviewed.ok ? ok(await listBreakGlass()) : reviewed,
      ),
  };
}

async function file(
  { acting, filed, host, nowMs }: ApprovalsDeps,
  input: FileRequest,
  signal?: AbortSignal,
): Promise<Result<FiledRequest>> {
  const { requestId, intent, typed } = input;
  const planned = await checkedPlan(acting, input, acting.actors, signal);
  if (!planned.ok) return planned;
  const { plan, friction } = planned.value;
  if (!friction.secondPerson) return fail(notNeeded);
  const { account, requestedBy } = acting.actors;
  const at = nowMs();
  const added = await filed.add({
    requestId,
    intent,
    plan,
    friction,
    typed,
    requestedBy,
    filedBy: account,
    host,
    filedAt: new Date(at).toISOString(),
    expiresAt: new Date(at + CONSENT_EXPIRY_MS).toISOString(),
  });
  return added.ok ? ok(shownRequest(added.value)) : added;
}

async function approve(
  { acting, filed }: ApprovalsDeps,
  { requestId, operationId, account, passphrase }: ApproveRequest,
  signal?: AbortSignal,
): Promise<Result<{ readonly operationId: string; readonly acceptedAt: string }>> {
  const known = await acceptedBefore(acting, operationId);
  if (known !== null) return ok(known);
  const request = (await filed.open()).find((each) => each.requestId === requestId);
  // The word of the one who takes it is what tells that it is gone.
  if (request === undefined) {
    const taken = await filed.take(requestId);
    const meanwhile = await acceptedBefore(acting, operationId);
    return meanwhile === null ? (taken.ok ? fail(raced) : taken) : ok(meanwhile);
  }
  const { intent, plan, typed } = request;
  // What was shown to the requester is shown to the approver with the list.
  acting.shown.shown(intent, plan);
  return confirm(
    acting,
    {
      input: {
        operationId,
        intent,
        typed,
        seen: { ...plan.seen },
        fingerprint: plan.fingerprint,
        consent: { kind: "person", account, passphrase },
      },
      actors: { ...acting.actors, account: request.filedBy, requestedBy: request.requestedBy },
      filed: { by: request.filedBy, host: request.host, at: request.filedAt },
      take: () => filed.take(requestId),
    },
    signal,
  );
}

async function review(
  { approvers, journal }: ApprovalsDeps,
  { operationId, account, passphrase, note }: ReviewAction,
): Promise<Result<null>> {
  const due = (await unreviewed(journal)).find(({ accepted }) => accepted.operationId === operationId);
  if (due === undefined) return fail(notDue(operationId));
  const { who, filed } = due.accepted;
  const acted = [who.account, who.requestedBy, ...(filed === null ? [] : [filed.by])];
  const proven = await approvers.prove(account, passphrase, acted);
  if (!proven.ok) return proven;
  const { passphraseBy } = proven.value;
  if (passphraseBy !== null) return fail(notIndependent(proven.value.account, passphraseBy));
  await journal.append({ step: "reviewed", operationId, reviewer: proven.value.account, note: note.trim() });
  return ok(null);
}

/** How many acts without a second person are looked through for open reviews. */
const LOOKED_THROUGH = 1_000;

async function unreviewed(journal: ActionJournal): Promise<readonly RecordedAction[]> {
  const page = await journal.read({ before: null, limit: LOOKED_THROUGH, filter: { needsReview: true } });
  return page.actions.filter(({ reviewed }) => reviewed === null);
}

function toldOf({ accepted, ended }: RecordedAction): BreakGlassAction {
  const { networkId, businessKey, runId, nodeId, jobKey } = accepted.subject;
  const { action } = accepted;
  if (action === "start" || action === "processStop") throw new Error(`${action} asks for no consent`);
  return {
    operationId: accepted.operationId,
    kind: accepted.action,
    ...{ networkId, businessKey, runId, nodeId, jobKey },
    account: accepted.who.account,
    host: accepted.who.host,
    at: accepted.at,
    reason: accepted.reason,
    evidence: accepted.evidence,
    consent: accepted.consent,
    state: ended?.state ?? null,
    code: ended?.code ?? null,
  };
}

const notNeeded: Problem = {
  code: "CONSENT_NOT_NEEDED",
  message: "This needs nobody's consent; there is nothing to file.",
  remedy: "Confirm it on the spot.",
};
const raced: Problem = {
  code: "CONSENT_REQUEST_GONE",
  message: "The request for consent changed while it was looked at; it was not carried out.",
  remedy: "Look at the list; file it again if it is still wanted.",
};
const notDue = (operationId: string): Problem => ({
  code: "REVIEW_NOT_DUE",
  message: "No review of this operation is due: it was reviewed, or had its consent.",
  place: operationId,
  remedy: "Look at the list again.",
});
const notIndependent = (approver: string, setBy: string): Problem => ({
  code: "REVIEW_NOT_INDEPENDENT",
  message: `The passphrase of ${approver} was set by ${setBy}, who acted; a review with it shows no second person, and none was recorded.`,
  place: "consent",
  remedy: "Have the approver set a passphrase with an own account, or ask another approver.",
});
