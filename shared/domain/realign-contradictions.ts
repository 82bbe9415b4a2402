import type { Attempt, NodeState, Resolution } from "./model.ts";

/** Something the records of a node contradict themselves in, beside the revision. */
export interface Contradiction {
  readonly code: string;
  readonly detail: string;
}

/** The node as its state tells it, against its Attempts and their Resolutions. */
export interface NodeStory {
  readonly state: NodeState;
  readonly attempts: readonly Attempt[];
  readonly resolutions: readonly Resolution[];
}

/**
 * What an edit by hand may have changed beside the revision (orchestration §6.2 has no code for it, as no program writes
 * such records): Attempts and the state's count of them, an Attempt left open, a status that nothing bears out. To take
 * such a state up would carry a hand-made outcome past `resolve-node` and its second person.
 */
export function contradictions(story: NodeStory): readonly Contradiction[] {
  return [...countFindings(story), ...openFindings(story), ...statusFindings(story)];
}

function countFindings({ state, attempts }: NodeStory): readonly Contradiction[] {
  const counted = Array.from({ length: state.latestAttemptNo }, (_, index) => index + 1);
  const stored = attempts.map(({ attemptNo }) => attemptNo).sort((a, b) => a - b);
  if (counted.length === stored.length && counted.every((no, index) => no === stored[index])) return [];
  const list = stored.length === 0 ? "none" : stored.join(", ");
  const detail = `The state counts ${state.latestAttemptNo} Attempts; stored are: ${list}.`;
  return [{ code: "ATTEMPTS_MISCOUNTED", detail }];
}

function openFindings({ state, attempts }: NodeStory): readonly Contradiction[] {
  return attempts
    .filter(({ status, attemptId }) => status === "RUNNING" && attemptId !== state.activeAttemptId)
    .map(({ attemptNo }) => ({
      code: "ATTEMPT_LEFT_OPEN",
      detail: `Attempt ${attemptNo} is RUNNING, and the state does not know it as active.`,
    }));
}

function statusFindings(story: NodeStory): readonly Contradiction[] {
  const { state, attempts } = story;
  const latest = attempts.find(({ attemptNo }) => attemptNo === state.latestAttemptNo);
  const borne = latest === undefined ? UNTRIED.includes(state.status) : isBorneOut(story, latest);
  if (borne) return [];
  const last = latest === undefined ? "there is no Attempt" : `its latest Attempt is ${latest.status}`;
  const detail = `The state says ${state.status}, and nothing bears it out: ${last}.`;
  return [{ code: "STATUS_UNATTESTED", detail }];
}

const UNTRIED: readonly NodeState["status"][] = ["WAITING", "BLOCKED"];

function isBorneOut({ state, resolutions }: NodeStory, latest: Attempt): boolean {
  const said = resolutions.filter(({ attemptId }) => attemptId === latest.attemptId);
  switch (state.status) {
    case "SUCCESS":
    case "FAILED":
    case "CANCELLED":
      return latest.status === state.status || said.some(({ outcome }) => outcome === state.status);
    case "UNKNOWN":
      return latest.status === "UNKNOWN";
    case "RUNNING":
      // An Attempt of another number was found above; that it is the active one, reconciliation asks (orchestration §6.2).
      return latest.attemptId === state.activeAttemptId;
    case "WAITING":
    case "BLOCKED":
      return maySet(state, latest, said);
    case "SKIPPED":
      return false;
  }
}

/** Whether a node may have been set back to wait after this Attempt (wire-format §1.6). */
function maySet(state: NodeState, latest: Attempt, said: readonly Resolution[]): boolean {
  if (latest.status === "CANCELLED" && latest.resultCode === "PREPARE_FAILED") return true;
  // A node that must not run twice would do so: a RERUN_FROM stopped before it cannot be told from an edit.
  if (!state.idempotent) return false;
  if (latest.status === "UNKNOWN") return said.length > 0;
  return latest.status !== "RUNNING";
}
