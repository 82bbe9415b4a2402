import type { RunDetail } from "../../shared/api/index.ts";
import type { RunView } from "./run-view.ts";

/** The Run as read, with as many of its attempts as the open screen asked for. */
export interface RunRecords extends RunDetail {
  /** Those the screen shows are all here; until then a latest one is not known to be the latest. */
  readonly attemptsComplete: boolean;
}

/** What every tab is given: the Run as read, and where the address points within it. */
export interface TabProps {
  readonly detail: RunRecords;
  readonly view: RunView;
}
