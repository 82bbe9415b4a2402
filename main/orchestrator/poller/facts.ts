import { resolveBusinessKey } from "../../../shared/domain/business-key.ts";
import { runActivity } from "../../../shared/domain/lease.ts";
import type { Run, Stored } from "../../../shared/domain/model.ts";
import { errorText, FlowError } from "../../../shared/domain/problem.ts";
import type { OperationRequest } from "../../../shared/domain/request.ts";
import type { ReviewedRun, RunLookup, StartableNetwork } from "../../../shared/domain/request-review.ts";
import type { AllowedNetwork, PollerDeps } from "./ports.ts";

/** How many Runs' networks are remembered. */
const KNOWN_NETWORKS = 200;

/** What a request is judged through. */
export type FactsDeps = Pick<PollerDeps, "reads" | "allowList" | "readDefinition" | "profile" | "clock">;

/**
 * What a request is judged by, read for it alone: the peer asks every allowed network for every request (W-20). A
 * failed read is an answer, not an exception.
 */
export function createFacts(deps: FactsDeps) {
  /** Networks of Runs that were looked up; a Run never changes its own. */
  const networks = new Map<string, string>();

  async function reviewed(run: Stored<Run>): Promise<ReviewedRun> {
    const scope = { profile: deps.profile, networkId: run.networkId };
    const [hold, lock, invocations] = await Promise.all([
      deps.reads.findHold(run.runId),
      deps.reads.findLock(scope),
      deps.reads.listInvocations(run.runId),
    ]);
    const { activity, live } = runActivity(
      {
        status: run.status,
        startedAt: run.startedAt,
        invocationIds: invocations.map(({ invocationId }) => invocationId),
        lock,
        hold: hold?.state ?? null,
      },
      deps.clock.nowMs(),
    );
    const { networkId, status, lifecycle, resumeAllowed } = run;
    return { networkId, status, lifecycle, resumeAllowed, hold: hold?.state ?? null, activity, live };
  }

  async function findRun(runId: string): Promise<Stored<Run> | null> {
    const run = await deps.reads.findRunById(runId);
    if (run === null) return null;
    if (networks.size >= KNOWN_NETWORKS) networks.clear();
    networks.set(runId, run.networkId);
    return run;
  }

  async function lookUp(find: () => Promise<Stored<Run> | null>): Promise<RunLookup> {
    try {
      const run = await find();
      if (run === null) return { kind: "read", runs: [] };
      const allowed = (await deps.allowList()).some(({ networkId }) => networkId === run.networkId);
      const ours = allowed && run.profileSnapshot.profile === deps.profile;
      return { kind: "read", runs: ours ? [await reviewed(run)] : [] };
    } catch (error) {
      return { kind: "unavailable", why: error instanceof FlowError ? error.code : errorText(error) };
    }
  }

  /** The entry of the allow list with its definition as it stands now; null when the network is not in it. */
  async function startable(networkId: string | null): Promise<StartableNetwork | null> {
    const entry = (await deps.allowList()).find((each) => each.networkId === networkId);
    if (entry === undefined) return null;
    const { appStart } = entry;
    const loaded = await deps.readDefinition(entry.definitionPath);
    const usable = loaded.ok && loaded.value.networkId === entry.networkId;
    return {
      networkId: entry.networkId,
      appStart,
      definition: usable
        ? {
            policy: loaded.value.businessKeyPolicy,
            nodesIdempotent: loaded.value.nodes.map(({ idempotent }) => idempotent),
          }
        : null,
    };
  }

  /** The Run a START made or found, by the key it asked for (orchestration section 7.4). */
  async function runOfStart(request: OperationRequest): Promise<RunLookup> {
    const network = await startable(request.networkId);
    if (network?.definition == null) return { kind: "read", runs: [] };
    const key = resolveBusinessKey({
      networkId: network.networkId,
      policy: network.definition.policy,
      businessKey: request.businessKey ?? undefined,
      scheduledFor: request.scheduledFor ?? undefined,
    });
    if (!key.ok) return { kind: "read", runs: [] };
    const { businessKey } = key.value;
    const scope = { profile: deps.profile, networkId: network.networkId, businessKey };
    return lookUp(() => deps.reads.findRunByKey(scope));
  }

  return {
    reviewed,
    startable,
    runOf: (request: OperationRequest): Promise<RunLookup> => lookUp(() => findRun(request.runId)),
    runOfStart,
    /** The network whose lock a request will need; null where there is no such Run, or it cannot be read now. */
    async networkOf({ type, networkId, runId }: OperationRequest): Promise<string | null> {
      if (type === "START") return networkId;
      const known = networks.get(runId);
      if (known !== undefined) return known;
      const run = await findRun(runId).catch(() => null);
      return run?.networkId ?? null;
    },
    async definitionOf(networkId: string): Promise<AllowedNetwork | null> {
      return (await deps.allowList()).find((each) => each.networkId === networkId) ?? null;
    },
  };
}
export type Facts = ReturnType<typeof createFacts>;
