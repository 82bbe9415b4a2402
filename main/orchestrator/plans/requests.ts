import {
  type OperationPlan,
  planRequestCancelOperation,
  planRequestOperation,
  type RequestFacts,
} from "../../../shared/domain/operations/index.ts";
import { fail, ok, type Result } from "../../../shared/domain/problem.ts";
import type { OperationRequest, ParsedRequest } from "../../../shared/domain/request.ts";
import { loadDefinition } from "../definition-file.ts";
import { isoNow } from "../deps.ts";
import { createFacts } from "../poller/index.ts";
import type { PlansDeps } from "./ports.ts";

/** Open requests that are looked through for others about the same. */
const OPEN_LIMIT = 500;

/** A request to be: judged as the poller will judge it (orchestration section 7.5). */
export async function planRequest(
  deps: PlansDeps,
  draft: OperationRequest,
  signal?: AbortSignal,
): Promise<Result<OperationPlan>> {
  const { requests, profile, store } = deps;
  if (requests === null) return notConfigured();
  const facts = createFacts({
    reads: store,
    allowList: deps.allowList,
    async readDefinition(path) {
      const loaded = await loadDefinition(path, { profile });
      return loaded.ok ? ok(loaded.value.definition) : loaded;
    },
    profile,
    clock: deps.clock,
  });
  const [about, open, run] = await Promise.all([
    aboutOf(facts, draft),
    requests.listOpen(OPEN_LIMIT, signal),
    draft.type === "START" ? null : store.findRunById(draft.runId, signal),
  ]);
  const pending = open.flatMap((each) => (isSame(each, draft) ? [each.request.id] : []));
  const seen = draft.type === "START" ? {} : { run: run?.ref ?? null };
  return ok(planRequestOperation({ draft, about, pending, seen, readAt: isoNow(deps.clock) }));
}

async function aboutOf(
  facts: ReturnType<typeof createFacts>,
  draft: OperationRequest,
): Promise<RequestFacts["about"]> {
  return draft.type === "START"
    ? { kind: "start", network: await facts.startable(draft.networkId) }
    : { kind: "run", lookup: await facts.runOf(draft) };
}

/** Compared exactly: kintone's own `=` compares words (orchestration section 11.3). */
function isSame(
  parsed: ParsedRequest,
  draft: OperationRequest,
): parsed is Extract<ParsedRequest, { valid: true }> {
  if (!parsed.valid) return false;
  const { runId, networkId, businessKey, scheduledFor } = parsed.request;
  if (draft.type !== "START") return runId === draft.runId;
  return (
    networkId === draft.networkId && businessKey === draft.businessKey && scheduledFor === draft.scheduledFor
  );
}

/** Taking a request back, which counts only before its claim (orchestration section 7.3). */
export async function planRequestCancel(
  deps: PlansDeps,
  requestId: string,
  signal?: AbortSignal,
): Promise<Result<OperationPlan>> {
  if (deps.requests === null) return notConfigured();
  const parsed = await deps.requests.read(requestId, signal);
  if (parsed?.valid === true) {
    return ok(planRequestCancelOperation({ request: parsed.request, readAt: isoNow(deps.clock) }));
  }
  return fail({
    code: "REQUEST_NOT_FOUND",
    message: "There is no request of this id that can be read.",
    place: `request ${requestId}`,
    remedy: "Look at the list of requests again.",
  });
}

const notConfigured = (): Result<never> =>
  fail({
    code: "REQUESTS_NOT_CONFIGURED",
    message: "No request app is configured for this connection.",
    remedy: "Name it in the settings, or act on the Run directly.",
  });
