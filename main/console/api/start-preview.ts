import type { StartField, StartPreview, StartTarget } from "../../../shared/api/index.ts";
import { businessKeyRunProblem } from "../../../shared/domain/business-key.ts";
import { sha256Hex } from "../../../shared/domain/hash.ts";
import { fail, ok, type Problem, type Result } from "../../../shared/domain/problem.ts";
import type { PlanResult } from "../../orchestrator/index.ts";
import type { NetworkEntry } from "../ports.ts";
import type { HandlerDeps } from "./deps.ts";

/** The parts of what an operator saw, each told apart when it moved. */
const PREVIEW_PARTS = ["key", "plan", "run"] as const;
export type PreviewPart = (typeof PREVIEW_PARTS)[number];

export interface PreviewFacts {
  readonly networkId: string;
  readonly businessKey: string | null;
  readonly scheduledFor: string | null;
  readonly nodes: PlanResult["nodes"];
  readonly existing: { readonly runId: string; readonly revision: number } | null;
}

/**
 * `key.plan.run`, 16 hex digits each: equal as long as what the operator saw still holds, and saying which part
 * moved when it does not, without the console keeping every preview it ever made (operator-ux D6).
 */
export function fingerprintOf(facts: PreviewFacts): string {
  const digest = (value: unknown): string => sha256Hex(JSON.stringify(value)).slice(0, 16);
  const nodes = facts.nodes.map((node) => [
    node.order,
    node.id,
    node.jobId,
    node.idempotent,
    ...node.dependsOn,
  ]);
  return [
    digest([facts.networkId, facts.businessKey, facts.scheduledFor]),
    digest(nodes),
    digest(facts.existing && [facts.existing.runId, facts.existing.revision]),
  ].join(".");
}

/** Which parts moved between two fingerprints; all of them when one cannot be read. */
export function changedParts(seen: string, now: string): readonly PreviewPart[] {
  const before = seen.split(".");
  const after = now.split(".");
  if (before.length !== PREVIEW_PARTS.length) return PREVIEW_PARTS;
  return PREVIEW_PARTS.filter((_, index) => before[index] !== after[index]);
}

/** The field of the form a problem of the key belongs beside; null when it is the definition's own. */
export function fieldOf(problem: Problem): StartField | null {
  const place = problem.place ?? "";
  if (place.includes("--scheduled-for")) return "scheduledFor";
  if (place.includes("--business-key") || problem.code.startsWith("RECORD_KEY_IDENTIFIER"))
    return "businessKey";
  return null;
}

/** The entry of a network this host may start, or `NETWORK_NOT_ALLOWED`. */
export function allowedNetwork(deps: HandlerDeps, networkId: string): Result<NetworkEntry> {
  const entry = deps.allowed.current().find((each) => each.networkId === networkId);
  if (entry !== undefined) return ok(entry);
  return fail({
    code: "NETWORK_NOT_ALLOWED",
    message: `The network ${networkId} is not in the allow list of this host; it cannot be started from here.`,
    place: "networkId",
    remedy: "Add it to the allow list, or choose a network from the list.",
  });
}

/** What a start would do, from the definition and the store as they are now. Writes nothing (operator-ux D13). */
export async function previewStart(
  deps: HandlerDeps,
  entry: NetworkEntry,
  target: StartTarget,
  signal?: AbortSignal,
): Promise<StartPreview> {
  const keys = {
    ...(target.businessKey !== undefined && { businessKey: target.businessKey }),
    ...(target.scheduledFor !== undefined && { scheduledFor: target.scheduledFor }),
  };
  const { plan, problems } = await deps.workspace.orchestrator.plan(entry.definitionPath, keys);
  const businessKey = plan?.businessKey ?? null;
  const keyProblem = businessKey === null ? null : businessKeyRunProblem(businessKey);
  const all = keyProblem === null ? problems : [...problems, keyProblem];
  const stored =
    businessKey === null || all.length > 0
      ? null
      : await deps.reads.findRunByKey(
          { profile: deps.workspace.profile, networkId: entry.networkId, businessKey },
          signal,
        );
  const facts: PreviewFacts = {
    networkId: entry.networkId,
    businessKey,
    scheduledFor: target.scheduledFor ?? null,
    nodes: plan?.nodes ?? [],
    existing: stored && { runId: stored.runId, revision: stored.ref.revision },
  };
  return {
    networkId: entry.networkId,
    businessKey,
    problems: all.map((problem) => ({ field: fieldOf(problem), problem })),
    nodes: facts.nodes,
    existing: stored && {
      runId: stored.runId,
      status: stored.status,
      activity: deps.live.row(stored.runId)?.activity ?? null,
    },
    fingerprint: fingerprintOf(facts),
    readAt: new Date(deps.nowMs()).toISOString(),
  };
}
