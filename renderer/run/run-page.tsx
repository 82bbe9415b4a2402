import { type ComponentType, Suspense, useEffect, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { routeHash } from "../app/routes.ts";
import { goTo } from "../app/use-route.ts";
import { Fetched, pageCode } from "../components/fetched.tsx";
import link from "../components/link.module.css";
import { RunPace } from "../components/pace.tsx";
import page from "../components/page.module.css";
import { ProblemPanel } from "../components/problem.tsx";
import { useEscape } from "../components/use-escape.ts";
import { LogView } from "../log/log-view.tsx";
import { useStaleness, useStores } from "../state/context.tsx";
import { AttemptsView } from "./attempts-view.tsx";
import { EventsView } from "./events/events-view.tsx";
import { InvocationsView } from "./invocations-view.tsx";
import { KnownBody, KnownHeader, ReadingRun, useKnown } from "./known-run.tsx";
import { NodesView } from "./nodes-view.tsx";
import { OverviewView } from "./overview-view.tsx";
import { RunHeader } from "./run-header.tsx";
import { RunTabs } from "./run-tabs.tsx";
import { attemptScope, RUN_TABS, type RunTab, type RunView } from "./run-view.ts";
import type { RunRecords, TabProps } from "./tab-props.ts";
import { TimelineView } from "./timeline/timeline-view.tsx";

const graphCode = pageCode(async () => (await import("./graph/graph-view.tsx")).GraphView);

/** The tabs' views. The graph's library is fetched when the graph is opened. */
const VIEWS: Readonly<Record<RunTab, ComponentType<TabProps>>> = {
  overview: OverviewView,
  graph: Graph,
  nodes: NodesView,
  attempts: AttemptsView,
  log: LogView,
  timeline: TimelineView,
  events: EventsView,
  invocations: InvocationsView,
};

/** One Run: what is stored, what it is doing, and every record behind both. */
export function RunPage({ runId, ...view }: { readonly runId: string } & RunView) {
  const { t } = useTranslation();
  const { runDetail, runParts } = useStores();
  const detail = useStore(runDetail.store, (state) => state.detail);
  const attemptsProblem = useStore(runDetail.store, (state) => state.attempts.problem);
  useEffect(() => {
    runParts.open(runId);
    void runDetail.open(runId);
    // With the last picture fetched, the graph must be walkable too when the console ends.
    graphCode.fetch().catch(() => undefined);
    return () => {
      runDetail.close();
      runParts.close();
    };
  }, [runDetail, runParts, runId]);
  useLeave(runId, view);
  const { value, problem } = detail;
  return (
    <div className={page.page}>
      <div>
        <a className={link.crumb} href={routeHash({ page: "runs", filter: {} })}>
          {t("run.back")}
        </a>
      </div>
      {problem && (
        <ProblemPanel
          problem={problem}
          action={{ label: t("problem.retry"), run: () => void runDetail.reload() }}
        />
      )}
      {attemptsProblem && (
        <ProblemPanel
          problem={attemptsProblem}
          action={{ label: t("problem.retry"), run: () => void runDetail.reload() }}
        />
      )}
      {(problem === null || value !== null) && <RunFrame runId={runId} view={view} />}
    </div>
  );
}

interface RunFrameProps {
  readonly runId: string;
  readonly view: RunView;
}

/**
 * The Run as far as it is known already, at once, and with its records when they came (operator-ux §3.2, click to detail
 * from cache). The tabs are the same ones before and after: who walks them by keyboard keeps the place (U5).
 */
function RunFrame({ runId, view }: RunFrameProps) {
  const { runDetail } = useStores();
  const detail = useStore(runDetail.store, (state) => state.detail.value);
  const known = useKnown(runId, view);
  const records = useRecords(runId, view);
  const staleness = useStaleness();
  if (detail === null && known === null) return <ReadingRun />;
  const old = detail !== null && (staleness === "stale" || staleness === "lost");
  return (
    <div className={`${page.section} ${old ? page.stale : ""}`} style={{ gap: 16 }}>
      {detail ? <RunHeader detail={detail} /> : known && <KnownHeader known={known} />}
      {detail && <RunPace run={detail.run} />}
      <RunTabs runId={runId} view={view} />
      {detail ? (
        <Suspense fallback={<ReadingRun />}>{records && <TabView detail={records} view={view} />}</Suspense>
      ) : (
        known && <KnownBody runId={runId} view={view} known={known} />
      )}
    </div>
  );
}
/** The Run with the attempts that the open view shows, which are asked for here. */
function useRecords(runId: string, { tab, nodeId }: RunView): RunRecords | null {
  const { runDetail } = useStores();
  const { value } = useStore(runDetail.store, (state) => state.detail);
  const attempts = useStore(runDetail.store, (state) => state.attempts);
  const whole = useStore(runDetail.store, (state) => state.attemptsNext === null);
  useEffect(() => {
    void runDetail.want(runId, attemptScope({ ...(tab && { tab }), ...(nodeId && { nodeId }) }));
  }, [runDetail, runId, tab, nodeId]);
  const { list, complete } = attempts;
  return useMemo(
    () => value && { ...value, attempts: list, attemptsComplete: complete || whole },
    [value, list, complete, whole],
  );
}

/** Esc closes what is open to the right, then leaves the Run. */
function useLeave(runId: string, { tab, nodeId, attemptId }: RunView): void {
  useEscape(() => {
    if (nodeId === undefined && attemptId === undefined) return goTo({ page: "runs", filter: {} });
    goTo({ page: "run", runId, ...(tab && { tab }) });
  });
}

function Graph(props: TabProps) {
  return <Fetched code={graphCode} given={props} />;
}

function TabView({ detail, view }: TabProps) {
  const View = VIEWS[view.tab ?? RUN_TABS[0]];
  return <View detail={detail} view={view} />;
}
