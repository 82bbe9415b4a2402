import { Button, Spinner, Switch } from "@fluentui/react-components";
import { useEffect, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import page from "../../components/page.module.css";
import { ProblemPanel } from "../../components/problem.tsx";
import { ForeignText } from "../../components/text.tsx";
import { useStores } from "../../state/context.tsx";
import { causePath, firstTrouble } from "../cause.ts";
import { NodePanel } from "../node-panel.tsx";
import styles from "../run.module.css";
import { RunSplit } from "../run-split.tsx";
import type { TabProps } from "../tab-props.ts";
import { collapseChains } from "./collapse.ts";
import { GraphCanvas } from "./graph-canvas.tsx";
import { GraphList } from "./graph-list.tsx";
import { graphOf } from "./graph-model.ts";
import { useLayout } from "./use-layout.ts";

/** The Run's nodes and what depends on what, from the Run's own bundle; as a drawing or as a list of the same. */
export function GraphView({ detail, view }: TabProps) {
  const { t } = useTranslation();
  const { runParts } = useStores();
  const { value, problem } = useStore(runParts.store, (state) => state.definition);
  useEffect(() => void runParts.wantDefinition(), [runParts]);
  if (problem !== null) {
    return (
      <ProblemPanel
        problem={problem}
        action={{ label: t("problem.retry"), run: () => void runParts.wantDefinition() }}
      />
    );
  }
  if (value === null) {
    return <Spinner size="tiny" label={t("run.graph.reading")} labelPosition="after" />;
  }
  return <Graph detail={detail} view={view} nodes={value.nodes} />;
}

interface GraphProps extends TabProps {
  readonly nodes: Parameters<typeof graphOf>[0];
}

function Graph({ detail, view, nodes }: GraphProps) {
  const [asList, setAsList] = useState(false);
  const [fold, setFold] = useState(nodes.length > 30);
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(new Set());
  const graph = useMemo(() => graphOf(nodes, detail.nodes), [nodes, detail.nodes]);
  const path = useMemo(() => causePath(detail.nodes), [detail.nodes]);
  const drawn = useMemo(() => collapseChains(graph, fold, unfolded), [graph, fold, unfolded]);
  return (
    <div className={page.section}>
      <Tools asList={asList} onList={setAsList} fold={fold} onFold={setFold} count={graph.nodes.length} />
      <RunSplit
        runId={detail.run.runId}
        view={view}
        label={view.nodeId ?? ""}
        detail={view.nodeId === undefined ? null : <NodePanel detail={detail} view={view} />}
      >
        {asList ? (
          <GraphList runId={detail.run.runId} graph={graph} path={path} />
        ) : (
          <Drawing
            runId={detail.run.runId}
            drawn={drawn}
            path={path}
            selected={view.nodeId ?? null}
            trouble={firstTrouble(detail.nodes)}
            onUnfold={(id) => setUnfolded(new Set([...unfolded, id]))}
          />
        )}
      </RunSplit>
    </div>
  );
}

interface ToolsProps {
  readonly asList: boolean;
  readonly onList: (asList: boolean) => void;
  readonly fold: boolean;
  readonly onFold: (fold: boolean) => void;
  readonly count: number;
}

function Tools({ asList, onList, fold, onFold, count }: ToolsProps) {
  const { t } = useTranslation();
  return (
    <div className={page.head}>
      <Switch label={t("run.graph.asList")} checked={asList} onChange={(_, data) => onList(data.checked)} />
      {!asList && (
        <Switch label={t("run.graph.fold")} checked={fold} onChange={(_, data) => onFold(data.checked)} />
      )}
      <span className={page.quiet}>{t("run.graph.source", { count })}</span>
    </div>
  );
}

type DrawingProps = Omit<Parameters<typeof GraphCanvas>[0], "layout">;

/** The drawing while, and after, its layout is worked out; the list beside it never waits. */
function Drawing(props: DrawingProps) {
  const { t } = useTranslation();
  const { drawn } = props;
  const shape = useMemo(
    () => JSON.stringify([drawn.nodes.map((node) => node.id), drawn.edges.map((edge) => edge.id)]),
    [drawn],
  );
  const state = useLayout(drawn, shape);
  const layout = "layout" in state ? state.layout : null;
  return (
    <div className={page.section}>
      {state.phase === "working" && (
        <div className={styles.working} role="status">
          <Spinner size="tiny" label={t("run.graph.working")} labelPosition="after" />
          <Button size="small" onClick={state.cancel}>
            {t("run.graph.cancel")}
          </Button>
        </div>
      )}
      {(state.phase === "cancelled" || state.phase === "failed") && (
        <div className={page.empty}>
          <p>{t(`run.graph.${state.phase}`)}</p>
          {state.phase === "failed" && <ForeignText text={state.error} />}
          <Button size="small" onClick={state.again}>
            {t("run.graph.again")}
          </Button>
        </div>
      )}
      {layout !== null && <GraphCanvas {...props} layout={layout} />}
    </div>
  );
}
