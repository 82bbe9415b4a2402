import { type AttentionItem, attentionItem, type Moment } from "./attention.ts";
import { type AttentionFact, exactFact, minuteFact, textFact } from "./attention-fact.ts";
import { failedItem, unknownItems } from "./attention-node.ts";
import type { RunPicture } from "./attention-picture.ts";
import { onHold } from "./lease.ts";
import { reconcile } from "./reconciliation.ts";
import type { Finding } from "./reconciliation-finding.ts";
import { isTerminalRunStatus } from "./run-status.ts";

const minute = (at: string | null): Moment | null => (at === null ? null : { at, precision: "minute" });

/** What a Run itself is about, for every item of it. */
const about = ({ run }: RunPicture) => ({
  networkId: run.networkId,
  runId: run.runId,
  businessKey: run.businessKey,
});

/**
 * The items of one Run. A closed Run and a Run whose owner is at work have none, except that a result nobody knows is
 * told even while the rest goes on. Of unknown, held, interrupted, failed, cancelled and half-created the first that
 * holds is told; what contradicts itself, and a hold on an ended Run, are told beside it.
 */
export function runAttention(picture: RunPicture): readonly AttentionItem[] {
  const { run, records } = picture;
  if (run.lifecycle === "ARCHIVED" || run.status === "SUCCESS") return [];
  const unknown = run.status === "UNKNOWN" ? unknownItems(picture) : [];
  if (run.activity === "LIVE") return unknown;
  const findings = findingsOf(picture);
  const states = unknown.length > 0 ? unknown : stateItem(picture, findings);
  const held =
    isTerminalRunStatus(run.status) && onHold(records?.hold?.state ?? null) ? [heldItem(picture)] : [];
  return withContradictions(picture, [...states, ...held], findings);
}

function stateItem(picture: RunPicture, findings: readonly Finding[]): readonly AttentionItem[] {
  const { run } = picture;
  if (run.activity === "STOPPED") return [heldItem(picture)];
  if (run.activity === "INTERRUPTED") return [interruptedItem(picture)];
  if (run.status === "FAILED") return [failedItem(picture)];
  if (run.status === "CANCELLED") return [cancelledItem(picture)];
  const half = findings.find((finding) => finding.code === "CREATION_INCOMPLETE");
  return half === undefined ? [] : [halfCreatedItem(picture, half)];
}

/** Records that are being written contradict each other for a moment; while an owner may write, nothing is judged. */
function findingsOf({ run, records, lockStands }: RunPicture): readonly Finding[] {
  if (records === null || (lockStands && !isTerminalRunStatus(run.status))) return [];
  return reconcile(records);
}

/** Blocking findings need a judgement of their own; what a resume repairs is told with the item that asks for one. */
function withContradictions(
  picture: RunPicture,
  items: readonly AttentionItem[],
  all: readonly Finding[],
): readonly AttentionItem[] {
  const findings = all.filter(
    ({ code, severity }) => code !== "CREATION_INCOMPLETE" && severity !== "notice",
  );
  const [first] = findings;
  if (first === undefined) return items;
  const facts = findings.map(findingFact);
  const [state, ...rest] = items;
  if (state !== undefined && findings.every(({ severity }) => severity === "repairable")) {
    return [{ ...state, facts: [...state.facts, ...facts] }, ...rest];
  }
  const cause = findings.find(({ severity }) => severity === "blocking") ?? first;
  const contradiction = attentionItem("contradictory", {
    id: `contradictory:${picture.run.runId}`,
    ...about(picture),
    nodeId: cause.nodeId,
    code: cause.code,
    since: minute(picture.run.updatedAt),
    facts,
  });
  return [...items, contradiction];
}

const findingFact = ({ code, nodeId, detail }: Finding): AttentionFact =>
  textFact("finding", `${code}${nodeId === null ? "" : ` ${nodeId}`}: ${detail}`);

function heldItem(picture: RunPicture): AttentionItem {
  const { run, records } = picture;
  const hold = records?.hold ?? null;
  return attentionItem("held", {
    id: `held:${run.runId}`,
    ...about(picture),
    since: hold === null ? minute(run.updatedAt) : { at: hold.requestedAt, precision: "exact" },
    facts:
      hold === null
        ? [textFact("notRead", null)]
        : [
            textFact("holdState", hold.state),
            textFact("requestedBy", hold.requestedBy),
            exactFact("requestedAt", hold.requestedAt),
            textFact("reason", hold.reason),
          ],
  });
}

function interruptedItem(picture: RunPicture): AttentionItem {
  const { run, records, lock } = picture;
  const running = records?.states.filter((state) => state.status === "RUNNING").map((state) => state.nodeId);
  return attentionItem("interrupted", {
    id: `interrupted:${run.runId}`,
    ...about(picture),
    nodeId: running?.[0] ?? null,
    // A resume needs this lock: while anybody holds it, its steps of recovery come first.
    lockRecordId: lock?.ref.recordId ?? null,
    since: minute(lock?.heartbeatAt ?? run.updatedAt),
    facts: [
      textFact("runStatus", run.status),
      minuteFact("startedAt", run.startedAt),
      minuteFact("updatedAt", run.updatedAt),
      ...(running === undefined
        ? [textFact("notRead", null)]
        : [textFact("runningNodes", running.join(", ") || null)]),
      ...(lock === null
        ? [textFact("noLock", null)]
        : [textFact("ownerInvocation", lock.ownerInvocationId), minuteFact("heartbeat", lock.heartbeatAt)]),
    ],
  });
}

function cancelledItem(picture: RunPicture): AttentionItem {
  const { run } = picture;
  return attentionItem("cancelled", {
    id: `cancelled:${run.runId}`,
    ...about(picture),
    since: minute(run.finishedAt ?? run.updatedAt),
    facts: [textFact("runStatus", run.status), minuteFact("updatedAt", run.updatedAt)],
  });
}

function halfCreatedItem(picture: RunPicture, finding: Finding): AttentionItem {
  const { run } = picture;
  return attentionItem("halfCreated", {
    id: `halfCreated:${run.runId}`,
    ...about(picture),
    code: finding.code,
    since: minute(run.createdAt),
    facts: [findingFact(finding), minuteFact("createdAt", run.createdAt)],
  });
}
