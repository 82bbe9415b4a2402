import type { Clock } from "../../store/index.ts";
import type { ActionJournal } from "../acting/index.ts";
import type { LiveModel } from "../live-model-ports.ts";
import type { LockDirectory } from "../locks/directory.ts";
import type { Workspace } from "../ports.ts";
import { type Children, type ChildrenDeps, createChildren } from "./children.ts";
import { createStopRecord } from "./record.ts";

export interface OpenChildrenDeps {
  readonly workspace: Pick<Workspace, "children" | "host" | "requestedBy" | "profile" | "log">;
  readonly live: LiveModel;
  readonly directory: LockDirectory;
  readonly journal: ActionJournal;
  readonly clock: Clock;
  readonly wait: ChildrenDeps["wait"];
}

/** The children of a workspace's host. Whoever opens disposes. */
export function openChildren({ workspace, journal, ...deps }: OpenChildrenDeps): Children {
  const { children, host, requestedBy, profile, log } = workspace;
  const onProblem: Parameters<typeof createStopRecord>[0]["onProblem"] = (problem) =>
    log.problem("children", problem);
  const record = createStopRecord({ journal, profile, onProblem });
  return createChildren({ ...deps, evidence: children, host, requestedBy, record });
}
