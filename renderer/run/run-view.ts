import type { AttemptScope } from "../state/run-attempts.ts";

/** The tabs of a Run, in their order. A tab is added here when its view is, never before. */
export const RUN_TABS = [
  "overview",
  "graph",
  "nodes",
  "attempts",
  "log",
  "timeline",
  "events",
  "invocations",
] as const;
export type RunTab = (typeof RUN_TABS)[number];

/** Tabs that show the attempts of the whole Run. */
const WHOLE_RUN: ReadonlySet<RunTab> = new Set(["attempts", "timeline", "events"]);

/** Whose attempts a view shows: nobody else's are fetched. */
export function attemptScope({ tab, nodeId }: RunView): AttemptScope {
  if (tab !== undefined && WHOLE_RUN.has(tab)) return { kind: "all" };
  if (nodeId !== undefined) return { kind: "node", nodeId };
  // The log without a node is that of the latest attempt of all.
  return { kind: tab === "log" ? "all" : "first" };
}

/** What of a Run is looked at, as its address says. */
export interface RunView {
  readonly tab?: RunTab;
  /** The node whose panel is open. */
  readonly nodeId?: string;
  /** The attempt that is marked. */
  readonly attemptId?: string;
}

/** The view of an address; a tab that does not exist counts as the first one. */
export function readRunView(query: URLSearchParams): RunView {
  const tab = RUN_TABS.find((each) => each === query.get("tab"));
  const nodeId = query.get("node")?.slice(0, 200);
  const attemptId = query.get("attempt")?.slice(0, 200);
  return { ...(tab && { tab }), ...(nodeId && { nodeId }), ...(attemptId && { attemptId }) };
}

/** The parameters of a view's address; `readRunView` gives the view back. */
export function writeRunView({ tab, nodeId, attemptId }: RunView): URLSearchParams {
  const query = new URLSearchParams();
  if (tab && tab !== RUN_TABS[0]) query.set("tab", tab);
  if (nodeId) query.set("node", nodeId);
  if (attemptId) query.set("attempt", attemptId);
  return query;
}
