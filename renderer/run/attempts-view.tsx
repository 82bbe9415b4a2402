import { createContext, useContext, useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { AttemptFacts } from "../../shared/api/index.ts";
import { goTo } from "../app/use-route.ts";
import face from "../components/face.module.css";
import link from "../components/link.module.css";
import page from "../components/page.module.css";
import { OutcomeBadge } from "../components/status.tsx";
import { Duration, ForeignText, MinuteTime } from "../components/text.tsx";
import { type RowProps, type VirtualColumn, VirtualTable } from "../components/virtual-table.tsx";
import { useLanguage } from "../state/context.tsx";
import { AttemptPanel, attemptTitle } from "./attempt-panel.tsx";
import { NodePanel } from "./node-panel.tsx";
import { RunSplit } from "./run-split.tsx";
import type { TabProps } from "./tab-props.ts";

interface AttemptRows {
  readonly runId: string;
  readonly byId: ReadonlyMap<string, AttemptFacts>;
}
const Rows = createContext<AttemptRows>({ runId: "", byId: new Map() });

/** Every attempt ever made, in the order it was recorded, each with all that is known of it (operator-ux §1.1). */
export function AttemptsView({ detail, view }: TabProps) {
  const { t } = useTranslation();
  const { attempts, run } = detail;
  const rows = useMemo<AttemptRows>(
    () => ({ runId: run.runId, byId: new Map(attempts.map((attempt) => [attempt.attemptId, attempt])) }),
    [run.runId, attempts],
  );
  const keys = useMemo(() => attempts.map((attempt) => attempt.attemptId), [attempts]);
  const columns: readonly VirtualColumn[] = [
    { key: "node", label: t("run.attempts.node") },
    { key: "no", label: t("run.attempts.attempt"), width: "76px", align: "right" },
    { key: "status", label: t("run.attempts.status"), width: "108px" },
    { key: "code", label: t("run.attempts.code"), width: "16%" },
    { key: "mark", label: t("run.attempts.mark"), width: "166px", minute: true },
    { key: "end", label: t("run.attempts.finishedAt"), width: "166px", minute: true },
    { key: "duration", label: t("run.attempts.duration"), width: "84px", align: "right" },
    { key: "written", label: t("run.attempts.written"), width: "84px", align: "right" },
  ];
  if (keys.length === 0) {
    return (
      <div className={page.empty}>
        <p>{t("run.attempts.empty")}</p>
      </div>
    );
  }
  const chosen = rows.byId.get(view.attemptId ?? "") ?? latestOf(detail, view.nodeId);
  const waits = chosen === undefined && view.nodeId !== undefined && !detail.attemptsComplete;
  return (
    <Rows.Provider value={rows}>
      <AttemptsReading detail={detail} />
      <RunSplit
        runId={run.runId}
        view={view}
        label={chosen === undefined ? (view.nodeId ?? "") : attemptTitle(chosen, t)}
        detail={
          chosen === undefined ? (
            // What the node's own record says stands there until its attempt is here.
            waits ? (
              <NodePanel detail={detail} view={view} />
            ) : null
          ) : (
            <AttemptPanel detail={detail} attempt={chosen} />
          )
        }
      >
        <VirtualTable
          caption={t("run.attempts.caption")}
          columns={columns}
          keys={keys}
          open={chosen?.attemptId}
          Cells={AttemptCells}
          rowAttribute="data-attempt"
        />
      </RunSplit>
    </Rows.Provider>
  );
}

/** A node without a named attempt means its latest (operator-ux §1.1), as the node's record counts or once all are here. */
function latestOf({ nodes, attempts, attemptsComplete }: TabProps["detail"], nodeId: string | undefined) {
  const latestNo = nodes.find((node) => node.nodeId === nodeId)?.latestAttemptNo;
  const own = attempts.findLast((attempt) => attempt.nodeId === nodeId);
  return attemptsComplete || own?.attemptNo === latestNo ? own : undefined;
}

/** How far the attempts are fetched; nothing once all are here. */
export function AttemptsReading({ detail }: Pick<TabProps, "detail">) {
  const { t } = useTranslation();
  const count = new Intl.NumberFormat(useLanguage());
  if (detail.attemptsComplete) return null;
  const { attempts, attemptTotal } = detail;
  return (
    <p className={page.quiet}>
      {t("run.attempts.reading", { read: count.format(attempts.length), total: count.format(attemptTotal) })}
    </p>
  );
}

function AttemptCells({ rowKey, target }: RowProps) {
  const { runId, byId } = useContext(Rows);
  const count = new Intl.NumberFormat(useLanguage());
  const attempt = byId.get(rowKey);
  if (attempt === undefined) return null;
  const { nodeId } = attempt;
  return (
    <>
      <td>
        <button
          type="button"
          className={`${link.button} ${link.open} ${link.whole}`}
          onClick={() => goTo({ page: "run", runId, tab: "attempts", nodeId, attemptId: rowKey })}
          {...target}
        >
          <ForeignText text={nodeId} id />
        </button>
      </td>
      <td className={face.figure}>{attempt.attemptNo}</td>
      <td>
        <OutcomeBadge status={attempt.status} />
      </td>
      <td className={face.mono}>
        <ForeignText text={attempt.resultCode} />
      </td>
      <td>
        <MinuteTime at={attempt.executionStartedAt} />
      </td>
      <td>
        <MinuteTime at={attempt.finishedAt} />
      </td>
      <td className={face.figure}>
        <Duration seconds={attempt.durationSec} />
      </td>
      <td className={face.figure}>{count.format(attempt.writtenCount)}</td>
    </>
  );
}
