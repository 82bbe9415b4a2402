import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import type { AttemptFacts, RunDetail } from "../../shared/api/index.ts";
import { routeHash } from "../app/routes.ts";
import page from "../components/page.module.css";
import { ProblemPanel } from "../components/problem.tsx";
import type { TabProps } from "../run/tab-props.ts";
import { useStores } from "../state/context.tsx";
import { markedText } from "../text/marks.ts";
import { AttemptChoice } from "./attempt-choice.tsx";
import styles from "./log.module.css";
import { LogPane } from "./log-pane.tsx";

/** The logs of one attempt of the Run: the one the address names, else the latest of its node, else the latest. */
export function LogView({ detail, view }: TabProps) {
  const { t } = useTranslation();
  const { attempts, run } = detail;
  const { nodeId } = view;
  const ofNode = attempts.findLast((each) => nodeId === undefined || each.nodeId === nodeId);
  const named = attempts.find((each) => each.attemptId === view.attemptId);
  // Before all attempts are here, the latest of them is not the latest.
  if (named === undefined && !detail.attemptsComplete) {
    return <p className={page.quiet}>{t("run.log.reading")}</p>;
  }
  const attempt = named ?? ofNode;
  if (attempt === undefined) {
    const text =
      nodeId === undefined
        ? t("run.log.noAttempt")
        : t("run.log.noAttemptOfNode", { node: markedText(nodeId, true) });
    return (
      <div className={page.empty}>
        <p>{text}</p>
        {nodeId !== undefined && (
          <a
            className={styles.link}
            href={routeHash({ page: "run", runId: run.runId, tab: "nodes", nodeId })}
          >
            {t("run.log.openNode")}
          </a>
        )}
      </div>
    );
  }
  return (
    <section className={page.section} aria-label={t("run.tab.log")}>
      <AttemptChoice detail={detail} attempt={attempt} />
      <AttemptLogs key={attempt.attemptId} detail={detail} attempt={attempt} />
    </section>
  );
}

interface AttemptProps {
  readonly detail: RunDetail;
  readonly attempt: AttemptFacts;
}

function AttemptLogs({ detail, attempt }: AttemptProps) {
  const { t } = useTranslation();
  const { logs } = useStores();
  const files = useStore(logs.store, (state) => state.files);
  const { attemptId, status } = attempt;
  useEffect(() => {
    void logs.open(attemptId);
    return logs.close;
  }, [logs, attemptId]);
  if (files.problem) {
    const again = { label: t("problem.retry"), run: () => void logs.open(attemptId) };
    return <ProblemPanel problem={files.problem} action={again} />;
  }
  if (files.value === null) return <p className={page.quiet}>{t("run.log.reading")}</p>;
  if (files.value.files.length === 0) return <NoLog detail={detail} attempt={attempt} />;
  return <LogPane files={files.value.files} over={status !== "RUNNING"} />;
}

/** Why there is none: another host has it, or this one has it no more. */
function NoLog({ detail, attempt }: AttemptProps) {
  const { t } = useTranslation();
  const here = useStore(useStores().workspace.store, (state) => state.info.value?.host);
  const invocation = detail.invocations.find((each) => each.invocationId === attempt.invocationId);
  const host = invocation?.host;
  return (
    <div className={page.empty}>
      <p>
        {host === undefined
          ? t("run.log.otherHostUnsure")
          : host === here
            ? t("run.log.empty")
            : t("run.log.otherHost", { host: markedText(host) })}
      </p>
    </div>
  );
}
