import { resolveBusinessKey } from "../../../shared/domain/business-key.ts";
import type { OperationPlan } from "../../../shared/domain/operations/operation.ts";
import {
  planRequestSettleOperation,
  type RequestSettleFacts,
  requestSettleProblem,
  type SettleRun,
  type SettleWish,
  settledEnding,
  settleSeen,
  standingOf,
} from "../../../shared/domain/operations/request-settle.ts";
import { checkSeen, type SeenRecords } from "../../../shared/domain/operations/seen.ts";
import { FlowError, fail, ok, type Result } from "../../../shared/domain/problem.ts";
import type { OperationRequest, ParsedRequest } from "../../../shared/domain/request.ts";
import type { RequestStore } from "../../store/index.ts";
import { isoNow } from "../deps.ts";
import { createFacts, type FactsDeps } from "./facts.ts";

export interface SettleReads extends FactsDeps {
  readonly requests: Pick<RequestStore, "read">;
}
export interface SettleDeps extends FactsDeps {
  readonly requests: Pick<RequestStore, "read" | "end">;
}

export interface SettleRequestInput {
  readonly requestId: string;
  readonly wish: SettleWish;
  /** Silence after which a claim may be stale, milliseconds. */
  readonly staleAfterMs: number;
  /** The record a person decided on; null: none was shown. */
  readonly seen: SeenRecords | null;
  readonly signal?: AbortSignal;
}

export interface SettledRequest {
  readonly requestId: string;
  readonly state: "REJECTED";
  readonly resultCode: string;
  readonly resultMessage: string;
}

/**
 * Ends a claim that no poller ends any more: of a START that died before its Run was there, of a record that somebody broke
 * (orchestration §7.4, W-10). It rests on a person's word that whoever took the request has stopped. Codes: those of
 * `requestSettleProblem`, `PLAN_STALE`, `REVISION_CONFLICT`, `WRITE_UNCERTAIN`, `STORE_*`.
 */
export async function settleRequest(
  deps: SettleDeps,
  input: SettleRequestInput,
): Promise<Result<SettledRequest>> {
  try {
    const facts = await readSettleFacts(deps, input);
    const seen = checkSeen(input.seen, settleSeen(facts));
    if (!seen.ok) return seen;
    const refusal = requestSettleProblem(facts);
    if (refusal !== null) return fail(refusal);
    const standing = standingOf(facts.parsed);
    if (standing === null) throw new Error("a request without an identity passed its check");
    const ending = settledEnding(facts);
    const ref = { recordId: standing.id, revision: standing.revision };
    const written = await deps.requests.end(ref, ending, input.signal);
    return written.kind === "applied" ? ok({ requestId: standing.id, ...ending }) : fail(written.problem);
  } catch (error) {
    if (error instanceof FlowError) return fail(error.problem);
    throw error;
  }
}

/** What {@link settleRequest} would do, with everything against it; writes nothing (operator-ux D13). */
export async function planSettleRequest(
  deps: SettleReads,
  input: Omit<SettleRequestInput, "seen">,
): Promise<Result<OperationPlan>> {
  try {
    return ok(planRequestSettleOperation(await readSettleFacts(deps, input)));
  } catch (error) {
    if (error instanceof FlowError) return fail(error.problem);
    throw error;
  }
}

/** Everything the decision rests on, read at this moment. Throws what the reads throw. */
async function readSettleFacts(
  deps: SettleReads,
  { requestId, wish, staleAfterMs, signal }: Omit<SettleRequestInput, "seen">,
): Promise<RequestSettleFacts> {
  const parsed = await deps.requests.read(requestId, signal);
  const about = await runOf(deps, parsed, signal);
  const lock =
    about.networkId === null
      ? null
      : await deps.reads.findLock({ profile: deps.profile, networkId: about.networkId }, signal);
  const clock = { now: deps.clock.nowMs(), readAt: isoNow(deps.clock) };
  return { requestId, parsed, run: about.run, lock, wish, staleAfterMs, ...clock };
}

interface About {
  readonly run: SettleRun;
  readonly networkId: string | null;
}

async function runOf(deps: SettleReads, parsed: ParsedRequest | null, signal?: AbortSignal): Promise<About> {
  if (parsed?.valid !== true) return { run: { kind: "unknown" }, networkId: null };
  const { request } = parsed;
  const facts = createFacts(deps);
  if (request.type !== "START") {
    const run = await deps.reads.findRunById(request.runId, signal);
    if (run === null) return { run: { kind: "none" }, networkId: null };
    return { run: { kind: "found", run: await facts.reviewed(run) }, networkId: run.networkId };
  }
  const { networkId } = request;
  const businessKey = await keyOf(facts, request);
  if (networkId === null || businessKey === null) return { run: { kind: "unknown" }, networkId };
  const run = await deps.reads.findRunByKey({ profile: deps.profile, networkId, businessKey }, signal);
  return {
    run: run === null ? { kind: "none" } : { kind: "found", run: await facts.reviewed(run) },
    networkId,
  };
}

/** As a START derives it; a key that was given is the key, whether this host knows the network or not. */
async function keyOf(
  facts: ReturnType<typeof createFacts>,
  { networkId, businessKey, scheduledFor }: OperationRequest,
): Promise<string | null> {
  if (businessKey !== null) return businessKey;
  const definition = (await facts.startable(networkId))?.definition ?? null;
  if (definition === null || networkId === null) return null;
  const key = resolveBusinessKey({
    networkId,
    policy: definition.policy,
    scheduledFor: scheduledFor ?? undefined,
  });
  return key.ok ? key.value.businessKey : null;
}
