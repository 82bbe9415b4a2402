import type { NodeDefinition, ResolvedKey } from "../../shared/domain/index.ts";
import type { Invocation, NodeState, Run } from "../../shared/domain/model.ts";
import type { Change } from "../store/index.ts";
import { isoNow, type OrchestratorDeps } from "./deps.ts";
import type { Held } from "./held.ts";
import type { RunNetworkInput } from "./ports.ts";
import type { PreparedRun } from "./prepare-run.ts";

/** What one NEW Run is made of; `changes` insert exactly these, in this order. */
export interface NewRecords {
  readonly run: Run;
  readonly invocation: Invocation;
  readonly states: readonly NodeState[];
  readonly changes: readonly Change[];
}

/** The records of a NEW Run as they are inserted: Run `CREATED`, Invocation `RUNNING`, Node States `WAITING` (wire-format section 1.1). */
export function newRecords(
  deps: OrchestratorDeps,
  held: Held,
  key: ResolvedKey,
  input: RunNetworkInput,
  prepared: PreparedRun,
  fileKey: string,
): NewRecords {
  const at = isoNow(deps.clock);
  const { definition } = held.loaded;
  const runId = `netrun_${deps.ids.uuid()}`;
  const run: Run = {
    runId,
    networkId: definition.networkId,
    businessKey: key.businessKey,
    maxActiveRuns: definition.maxActiveRuns,
    status: "CREATED",
    lifecycle: "ACTIVE",
    resumeAllowed: true,
    asOf: key.scheduledFor,
    definitionSchemaVersion: definition.schemaVersion,
    definitionSha256: prepared.definitionSha256,
    bundleSha256: prepared.zipSha256,
    bundleFileKey: fileKey,
    profileSnapshot: prepared.snapshot,
    profileSha256: prepared.profileSha256,
    flowVersion: held.versions.flowVersion,
    engineVersion: held.versions.engineVersion,
    dialect: prepared.dialect,
    createdAt: at,
    startedAt: null,
    finishedAt: null,
    updatedAt: at,
  };
  const invocation = newInvocation(deps, held, input, runId, at);
  const states = definition.nodes.map((node) => newState(deps, runId, node, at));
  return {
    run,
    invocation,
    states,
    changes: [
      { kind: "run.insert", run },
      { kind: "invocation.insert", invocation },
      { kind: "nodeStates.insert", states },
    ],
  };
}

function newInvocation(
  deps: OrchestratorDeps,
  held: Held,
  input: RunNetworkInput,
  runId: string,
  at: string,
): Invocation {
  return {
    invocationId: held.invocationId,
    runId,
    mode: "NEW",
    requestedBy: input.requestedBy,
    host: deps.host,
    startedAt: at,
    finishedAt: null,
    selectedNodeIds: held.loaded.definition.nodes.map((node) => node.id),
    preservedNodeIds: [],
    blockedNodeIds: [],
    reason: input.reason === undefined ? "new business run" : `new business run; ${input.reason}`,
    status: "RUNNING",
    resultCode: "PENDING",
  };
}

/** A node's first state (wire-format section 1.1). */
export function newState(deps: OrchestratorDeps, runId: string, node: NodeDefinition, at: string): NodeState {
  return {
    nodeStateId: `nodestate_${deps.ids.uuid()}`,
    runId,
    nodeId: node.id,
    jobId: node.jobId,
    status: "WAITING",
    revision: 1,
    latestAttemptNo: 0,
    activeAttemptId: null,
    idempotent: node.idempotent,
    triggerRule: node.triggerRule,
    blockedBy: [],
    statusReason: null,
    startedAt: null,
    finishedAt: null,
    updatedAt: at,
  };
}
