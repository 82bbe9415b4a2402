import { useTranslation } from "react-i18next";
import type { AttemptFacts, NodeFacts } from "../../shared/api/index.ts";
import { NodeActions } from "../action/node-actions.tsx";
import { routeHash } from "../app/routes.ts";
import link from "../components/link.module.css";
import { LongText } from "../components/long-text.tsx";
import { NodePace } from "../components/pace.tsx";
import page from "../components/page.module.css";
import { Panel } from "../components/panel.tsx";
import { NodeStatusBadge, OutcomeBadge } from "../components/status.tsx";
import { Absent, Duration, ForeignText, MinuteTime } from "../components/text.tsx";
import { GuidanceLink } from "../guidance/guidance-link.tsx";
import { ResolveLink } from "../unknown/resolve-link.tsx";
import { AttemptEvidence } from "./attempt-evidence.tsx";
import { firstCauses } from "./cause.ts";
import { NodeLinks } from "./node-links.tsx";
import styles from "./run.module.css";
import type { TabProps } from "./tab-props.ts";

/** One node: why it stands as it does, its attempts, and what is known of the latest (operator-ux §1.1). */
export function NodePanel({ detail, view }: TabProps) {
  const { t } = useTranslation();
  const { nodeId = "" } = view;
  const node = detail.nodes.find((each) => each.nodeId === nodeId);
  const attempts = detail.attempts.filter((attempt) => attempt.nodeId === nodeId);
  return (
    <Panel title={nodeId}>
      {node === undefined ? (
        <p className={page.quiet}>{t("run.panel.noState")}</p>
      ) : (
        <Why detail={detail} view={view} node={node} latest={attempts.at(-1)} />
      )}
      <NodeAttempts
        runId={detail.run.runId}
        attempts={attempts}
        reading={!detail.attemptsComplete && attempts.length < (node?.latestAttemptNo ?? 0)}
      />
    </Panel>
  );
}

interface WhyProps extends TabProps {
  readonly node: NodeFacts;
  readonly latest: AttemptFacts | undefined;
}

function Why({ detail, view, node, latest }: WhyProps) {
  const { t } = useTranslation();
  const causes = node.status === "BLOCKED" ? firstCauses(detail.nodes, node.nodeId) : [];
  return (
    <>
      <NodeStatusBadge status={node.status} />
      <NodePace runId={detail.run.runId} nodeId={node.nodeId} />
      <NodeActions run={detail.run} nodeId={node.nodeId} status={node.status} />
      <ResolveLink runId={detail.run.runId} node={node} />
      <section className={page.section} aria-label={t("run.panel.why")}>
        <h3 className={page.heading}>{t("run.panel.why")}</h3>
        {causes.length > 0 && (
          <p className={page.text}>
            {t("run.panel.blocked")}{" "}
            <NodeLinks runId={detail.run.runId} tab={view.tab ?? "nodes"} nodeIds={causes} />
          </p>
        )}
        <dl className={styles.record}>
          <dt>{t("run.nodes.reason")}</dt>
          <dd>{node.statusReason === null ? <Absent /> : <ForeignText text={node.statusReason} />}</dd>
          {latest !== undefined && (
            <>
              <dt>{t("run.attempts.code")}</dt>
              <dd>
                <GuidanceLink code={latest.resultCode} />
              </dd>
            </>
          )}
          <dt>{t("run.panel.rule")}</dt>
          <dd>{t(`run.rule.${node.triggerRule}`)}</dd>
          <dt>{t("run.nodes.idempotent")}</dt>
          <dd>{node.idempotent ? t("run.nodes.idempotentYes") : t("run.nodes.idempotentNo")}</dd>
          <dt>{t("run.attempts.job")}</dt>
          <dd>
            <ForeignText text={node.jobId} id />
          </dd>
        </dl>
        {latest?.errorMessage != null && <LongText key={latest.attemptId} text={latest.errorMessage} />}
      </section>
      {latest !== undefined && <AttemptEvidence attempt={latest} />}
    </>
  );
}

interface NodeAttemptsProps {
  readonly runId: string;
  readonly attempts: readonly AttemptFacts[];
  /** Not all of them are here yet. */
  readonly reading: boolean;
}

/** Attempts listed in the panel; a node tried more often has the rest in its own tab. */
const SHOWN = 20;

function NodeAttempts({ runId, attempts, reading }: NodeAttemptsProps) {
  const { t } = useTranslation();
  const newest = [...attempts].reverse();
  return (
    <section className={page.section} aria-label={t("run.tab.attempts")}>
      <h3 className={page.heading}>{t("run.tab.attempts")}</h3>
      {reading && <p className={page.quiet}>{t("run.panel.readingAttempts")}</p>}
      {newest.length === 0 && !reading && <p className={page.quiet}>{t("run.panel.noAttempt")}</p>}
      <ul className={styles.tries}>
        {newest.slice(0, SHOWN).map((attempt) => (
          <li key={attempt.attemptId}>
            <a
              className={link.link}
              href={routeHash({
                page: "run",
                runId,
                tab: "attempts",
                nodeId: attempt.nodeId,
                attemptId: attempt.attemptId,
              })}
            >
              {t("run.panel.attempt", { no: attempt.attemptNo })}
            </a>
            <OutcomeBadge status={attempt.status} />
            <Duration seconds={attempt.durationSec} />
            <MinuteTime at={attempt.executionStartedAt} />
          </li>
        ))}
      </ul>
      {newest.length > SHOWN && (
        <p className={page.quiet}>{t("run.panel.moreAttempts", { count: newest.length - SHOWN })}</p>
      )}
    </section>
  );
}
