import type { ReactNode } from "react";
import { goTo } from "../app/use-route.ts";
import { Split } from "../components/split.tsx";
import { markedText } from "../text/marks.ts";
import type { RunView } from "./run-view.ts";

/** Of the detail, in per cent: a drawing or a table of eight columns needs most of the width. */
const USUAL_SHARE = 34;

interface RunSplitProps {
  readonly runId: string;
  readonly view: RunView;
  readonly label: string;
  readonly detail: ReactNode | null;
  readonly children: ReactNode;
}

/** The frame's split inside a Run's tab: one width for all its tabs; what is open is the address's node and attempt. */
export function RunSplit({ runId, view, label, detail, children }: RunSplitProps) {
  const { tab, nodeId, attemptId } = view;
  const opened = nodeId === undefined && attemptId === undefined ? null : `${nodeId} ${attemptId}`;
  return (
    <Split
      id="run"
      usualShare={USUAL_SHARE}
      maxHeight="max(280px, calc(100vh - 232px))"
      detail={detail}
      detailKey={opened}
      detailLabel={markedText(label, true)}
      onClose={() => goTo({ page: "run", runId, ...(tab && { tab }) })}
    >
      {children}
    </Split>
  );
}
