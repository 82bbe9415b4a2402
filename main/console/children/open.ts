import type { Clock } from "../../store/index.ts";
import type { LiveModel } from "../live-model-ports.ts";
import type { LockDirectory } from "../locks/directory.ts";
import type { Workspace } from "../ports.ts";
import { type Children, type ChildrenDeps, createChildren } from "./children.ts";

export interface OpenChildrenDeps {
  readonly workspace: Pick<Workspace, "children" | "host" | "requestedBy">;
  readonly live: LiveModel;
  readonly directory: LockDirectory;
  readonly clock: Clock;
  readonly wait: ChildrenDeps["wait"];
}

/** The children of a workspace's host. Whoever opens disposes. */
export function openChildren({ workspace, ...deps }: OpenChildrenDeps): Children {
  const { children, host, requestedBy } = workspace;
  return createChildren({ ...deps, evidence: children, host, requestedBy, stopped: () => undefined });
}
