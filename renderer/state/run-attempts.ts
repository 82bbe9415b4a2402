import type { StoreApi } from "zustand/vanilla";
import { type AttemptFacts, type ConsoleApi, settle } from "../../shared/api/index.ts";
import type { Problem } from "../../shared/domain/problem.ts";
import { oneAtATime } from "./one-at-a-time.ts";

/** Whose attempts a screen shows: those of the whole Run, of one node, or none beyond the first page. */
export type AttemptScope =
  | { readonly kind: "first" | "all" }
  | { readonly kind: "node"; readonly nodeId: string };

export interface RunAttempts {
  readonly scope: AttemptScope;
  /** By `$id`, ascending. */
  readonly list: readonly AttemptFacts[];
  /** Everything the scope asks for is in the list. */
  readonly complete: boolean;
  readonly problem: Problem | null;
}

export const noAttempts: RunAttempts = { scope: { kind: "first" }, list: [], complete: false, problem: null };

/** Where the pages belong: the Run that is open, and where its first page ended. */
export interface OpenRun {
  readonly runId: string | null;
  /** Null when the first page was the last. */
  readonly attemptsNext: string | null;
  readonly attempts: RunAttempts;
}

/** The list with freshly read attempts in it; a record that is older than the known one is history. */
export function withAttempts(
  list: readonly AttemptFacts[],
  fresh: readonly AttemptFacts[],
): readonly AttemptFacts[] {
  const known = new Map(list.map((each) => [each.recordId, each]));
  for (const attempt of fresh) {
    const before = known.get(attempt.recordId);
    if (before === undefined || before.recordRevision <= attempt.recordRevision)
      known.set(attempt.recordId, attempt);
  }
  return [...known.values()].sort((left, right) => Number(left.recordId) - Number(right.recordId));
}

/**
 * The list after a Run was read again from its first page. Where the store went back behind what is known, put back from
 * a backup, the page is all there is to know (operator-ux U7).
 */
export function withFirstPage(
  list: readonly AttemptFacts[],
  fresh: readonly AttemptFacts[],
  total: number,
): readonly AttemptFacts[] {
  const known = new Map(list.map((each) => [each.recordId, each.recordRevision]));
  const back = fresh.some((each) => (known.get(each.recordId) ?? 0) > each.recordRevision);
  return withAttempts(back || total < list.length ? [] : list, fresh);
}

/**
 * Fetches the attempts a screen shows, page by page; what is known stays on show meanwhile (operator-ux U8). A Run or a
 * scope that is left ends the fetching.
 */
export function createAttemptsFetch<State extends OpenRun>(store: StoreApi<State>, api: ConsoleApi) {
  const put = (change: (attempts: RunAttempts) => RunAttempts): void =>
    store.setState((state) => ({ ...state, attempts: change(state.attempts) }));

  return oneAtATime(async () => {
    const { runId, attemptsNext, attempts } = store.getState();
    const { scope } = attempts;
    if (runId === null || scope.kind === "first") return;
    const still = (): boolean =>
      store.getState().runId === runId && store.getState().attempts.scope === scope;
    const node = scope.kind === "node" ? { nodeId: scope.nodeId } : {};
    let after = scope.kind === "all" ? attemptsNext : "0";
    while (after !== null && attemptsNext !== null) {
      const answer = await settle(api.runParts.attempts({ runId, ...node, after }));
      if (!still()) return;
      if (!answer.ok) return put((known) => ({ ...known, problem: answer.error }));
      const { attempts: fresh, next } = answer.value;
      put((known) => ({ ...known, list: withAttempts(known.list, fresh), problem: null }));
      after = next;
    }
    put((known) => ({ ...known, complete: true }));
  });
}
