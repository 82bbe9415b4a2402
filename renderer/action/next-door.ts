import type { AttentionEntry, Intent } from "../../shared/api/index.ts";
import type { NextAction } from "../../shared/domain/next-action.ts";
import type { Route } from "../app/routes.ts";
import { kindOf, RUN_KINDS, runIntent, settleIntent } from "./names.ts";
import { rerunIntent } from "./run-choice.ts";

/** Where the next action of something that needs a person is done. */
export type NextDoor =
  | {
      readonly kind: "page";
      readonly words: "unlock" | "recovery" | "resolve" | "rerun" | "start";
      readonly route: Route;
    }
  | {
      readonly kind: "form";
      readonly words: "resume" | "stop" | "release" | "close" | "rerun" | "settle";
      readonly intent: Intent;
    };

/** The form or page behind the button of a row; null where nothing of ours is to be done. Pure. */
export function nextDoor(
  item: AttentionEntry,
  { operation }: Pick<NextAction, "operation">,
): NextDoor | null {
  const { runId, nodeId, networkId, lockRecordId, requestId } = item;
  const run = (tab: "nodes" | "attempts"): Route | null =>
    runId === null ? null : { page: "run", runId, tab, ...(nodeId !== null && { nodeId }) };
  if (operation === null) return null;
  if (operation === "FORCE_UNLOCK") {
    // Freeing the lock is one of the steps a Run needs: they lead through it and on to its resume.
    if (item.kind === "interrupted" && runId !== null) {
      return { kind: "page", words: "recovery", route: { page: "recovery", runId } };
    }
    return lockRecordId === null
      ? null
      : { kind: "page", words: "unlock", route: { page: "locks", recordId: lockRecordId, release: true } };
  }
  if (operation === "RESOLVE_NODE") return page("resolve", evidence(item) ?? run("attempts"));
  if (operation === "START") {
    return page("start", networkId === null ? null : { page: "start", networkId });
  }
  if (operation === "RERUN_FROM") {
    if (runId === null || nodeId === null) return page("rerun", run("nodes"));
    return { kind: "form", words: "rerun", intent: rerunIntent(runId, nodeId) };
  }
  if (operation === "REQUEST_SETTLE") {
    return requestId === null ? null : { kind: "form", words: "settle", intent: settleIntent(requestId) };
  }
  const kind = RUN_KINDS.find((each) => each === kindOf(operation));
  if (kind === undefined || runId === null) return null;
  return { kind: "form", words: kind, intent: runIntent(kind, runId) };
}

/** The evidence of the very node, where the row names one. */
const evidence = ({ runId, nodeId }: AttentionEntry): Route | null =>
  runId === null || nodeId === null ? null : { page: "unknowns", node: { runId, nodeId } };

const page = (words: "resolve" | "rerun" | "start", route: Route | null): NextDoor | null =>
  route === null ? null : { kind: "page", words, route };
