import type { RunDetail } from "../../shared/api/index.ts";
import type { RunView } from "./run-view.ts";

/** What every tab is given: the Run as read, and where the address points within it. */
export interface TabProps {
  readonly detail: RunDetail;
  readonly view: RunView;
}
