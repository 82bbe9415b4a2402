import { Spinner } from "@fluentui/react-components";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { type GridCell, type RunGrid, type RunRow, unpackCell } from "../../shared/api/index.ts";
import page from "../components/page.module.css";
import { Panel } from "../components/panel.tsx";
import { NodeStatusBadge, RunStatusBadge } from "../components/status.tsx";
import { ForeignText, useSecondText } from "../components/text.tsx";
import { useStores } from "../state/context.tsx";
import styles from "./run.module.css";
import { RunSplit } from "./run-split.tsx";
import type { RunView } from "./run-view.ts";

/** What the page knows of a Run before its records were read: what the list or the grid showed of it. */
export interface Known {
  readonly businessKey: string;
  readonly status: RunRow["status"];
  /** The node that was opened, as the grid showed it. */
  readonly cell: GridCell | null;
  /** When the grid was read, for a Run that only it knows. */
  readonly readAt: string | null;
}

/** A Run out of what list and grid hold; null when neither showed it. Pure. */
function knownOf(
  row: RunRow | undefined,
  grid: RunGrid | null,
  runId: string,
  nodeId: string | undefined,
): Known | null {
  const column = grid?.runs.find((run) => run.runId === runId);
  const shown = row ?? column;
  if (shown === undefined) return null;
  const at = nodeId === undefined ? -1 : (grid?.nodeIds.indexOf(nodeId) ?? -1);
  const { businessKey, status } = shown;
  const readAt = column === undefined ? null : (grid?.readAt ?? null);
  return { businessKey, status, cell: unpackCell(column?.cells[at]), readAt };
}

/** The same, as long as the stores hold it. */
export function useKnown(runId: string, { nodeId }: RunView): Known | null {
  const { runs, runGrid } = useStores();
  const row = useStore(runs.store, (state) => state.list.rows[runId]);
  const grid = useStore(runGrid.store, (state) => state.grid.value);
  return useMemo(() => knownOf(row, grid, runId, nodeId), [row, grid, runId, nodeId]);
}

/** The head of a Run whose records are on their way. Nothing can be done here: actions come with the records. */
export function KnownHeader({ known }: { readonly known: Known }) {
  const { t } = useTranslation();
  return (
    <div className={page.head}>
      <h1 className={page.title}>
        <ForeignText text={known.businessKey} id />
      </h1>
      <span className={styles.state}>
        <span className={styles.label}>{t("runs.column.status")}</span>
        <RunStatusBadge status={known.status} large withCode />
      </span>
    </div>
  );
}

interface KnownBodyProps {
  readonly runId: string;
  readonly view: RunView;
  readonly known: Known;
}

/** The opened node as far as it is known already, at once (operator-ux §3.2, click to detail from cache). */
export function KnownBody({ runId, view, known }: KnownBodyProps) {
  const { nodeId } = view;
  return (
    <RunSplit
      runId={runId}
      view={view}
      label={nodeId ?? ""}
      detail={nodeId === undefined ? null : <KnownNode nodeId={nodeId} known={known} />}
    >
      <ReadingRun />
    </RunSplit>
  );
}

/** The records are being read. */
export function ReadingRun() {
  const { t } = useTranslation();
  return <Spinner size="tiny" label={t("run.loading")} labelPosition="after" />;
}

function KnownNode({ nodeId, known }: { readonly nodeId: string; readonly known: Known }) {
  const { t } = useTranslation();
  const secondText = useSecondText();
  const { cell, readAt } = known;
  return (
    <Panel title={nodeId}>
      {cell !== null && <NodeStatusBadge status={cell.status} />}
      {cell !== null && <p className={page.text}>{t("known.attempts", { count: cell.attemptNo })}</p>}
      {cell !== null && readAt !== null && (
        <p className={page.quiet}>{t("gridAge.readAt", { time: secondText(readAt) })}</p>
      )}
      <p className={page.quiet}>{t("known.reading")}</p>
    </Panel>
  );
}
