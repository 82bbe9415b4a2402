import { Fragment } from "react";
import { routeHash } from "../app/routes.ts";
import link from "../components/link.module.css";
import { ForeignText } from "../components/text.tsx";
import styles from "./run.module.css";
import type { RunTab } from "./run-view.ts";

interface NodeLinksProps {
  readonly runId: string;
  readonly tab: RunTab;
  readonly nodeIds: readonly string[];
}

/** Links to nodes of the same Run, in the tab one is in. */
export function NodeLinks({ runId, tab, nodeIds }: NodeLinksProps) {
  return (
    <span className={styles.causes}>
      {nodeIds.map((nodeId, at) => (
        <Fragment key={nodeId}>
          {at > 0 && ", "}
          <a className={link.link} href={routeHash({ page: "run", runId, tab, nodeId })}>
            <ForeignText text={nodeId} id />
          </a>
        </Fragment>
      ))}
    </span>
  );
}
