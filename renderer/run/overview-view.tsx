import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { NodeFacts, RunDetail } from "../../shared/api/index.ts";
import { NODE_STATUSES } from "../../shared/domain/model.ts";
import { routeHash } from "../app/routes.ts";
import { Fact, Facts } from "../components/facts.tsx";
import link from "../components/link.module.css";
import page from "../components/page.module.css";
import { SaveBundle } from "../components/save-bundle.tsx";
import { NodeStatusBadge } from "../components/status.tsx";
import { Absent, CopyId, ForeignText, MinuteTime } from "../components/text.tsx";
import { GuidanceLink } from "../guidance/guidance-link.tsx";
import { useLanguage, useTimeZone } from "../state/context.tsx";
import { markedText } from "../text/marks.ts";
import { minuteText } from "../text/time.ts";
import { firstCauses } from "./cause.ts";
import { Inconsistencies } from "./inconsistencies.tsx";
import { NodeLinks } from "./node-links.tsx";
import { NotesSection } from "./notes-section.tsx";
import styles from "./run.module.css";
import type { TabProps } from "./tab-props.ts";

/** Causes listed before the rest is only counted. */
const SHOWN = 10;

/** What is the matter, what to do about it, and the facts of the Run record. */
export function OverviewView({ detail }: TabProps) {
  const { t } = useTranslation();
  const { status, activity } = detail.run;
  return (
    <div className={page.section} style={{ gap: 16 }}>
      <section className={styles.verdict} aria-label={t("run.tab.overview")}>
        <p className={styles.half}>
          <span className={styles.label}>{t("runs.column.status")}</span>
          {t(`status.line.${status}`)}
        </p>
        <p className={styles.half}>
          <span className={styles.label}>{t("runs.column.activity")}</span>
          {activity === null ? t("activity.noneLine") : t(`activity.line.${activity}`)}
        </p>
      </section>
      {detail.inconsistencies.length > 0 && (
        <Inconsistencies run={detail.run} found={detail.inconsistencies} />
      )}
      <NodeCounts nodes={detail.nodes} />
      <Troubles detail={detail} />
      <RunFacts detail={detail} />
      <NotesSection runId={detail.run.runId} />
      <SaveBundle runId={detail.run.runId} />
    </div>
  );
}

function NodeCounts({ nodes }: { readonly nodes: readonly NodeFacts[] }) {
  const { t } = useTranslation();
  const counts = NODE_STATUSES.map((status) => ({
    status,
    count: nodes.filter((node) => node.status === status).length,
  })).filter(({ count }) => count > 0);
  return (
    <section className={page.section} aria-label={t("run.overview.counts")}>
      <h2 className={page.heading}>{t("run.overview.counts")}</h2>
      {counts.length === 0 ? (
        <p className={page.quiet}>{t("run.nodes.empty")}</p>
      ) : (
        <ul className={styles.counts}>
          {counts.map(({ status, count }) => (
            <li key={status}>
              <NodeStatusBadge status={status} /> <span className={styles.count}>{count}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** The nodes that need someone, each with why; what they hold up is named with its cause (operator-ux §1.1). */
function Troubles({ detail }: { readonly detail: RunDetail }) {
  const { t } = useTranslation();
  const wanted = new Set(["UNKNOWN", "FAILED", "CANCELLED", "BLOCKED"]);
  const troubled = detail.nodes.filter((node) => wanted.has(node.status));
  if (troubled.length === 0) return null;
  return (
    <section className={page.section} aria-label={t("run.overview.troubles")}>
      <h2 className={page.heading}>{t("run.overview.troubles")}</h2>
      <ul className={styles.troubles}>
        {troubled.slice(0, SHOWN).map((node) => (
          <Trouble key={node.nodeId} detail={detail} node={node} />
        ))}
      </ul>
      {troubled.length > SHOWN && (
        <a className={link.crumb} href={routeHash({ page: "run", runId: detail.run.runId, tab: "nodes" })}>
          {t("run.overview.more", { count: troubled.length - SHOWN })}
        </a>
      )}
    </section>
  );
}

function Trouble({ detail, node }: { readonly detail: RunDetail; readonly node: NodeFacts }) {
  const { t } = useTranslation();
  const { runId } = detail.run;
  const causes = node.status === "BLOCKED" ? firstCauses(detail.nodes, node.nodeId) : [];
  return (
    <li className={styles.trouble}>
      <NodeStatusBadge status={node.status} />
      <a className={link.open} href={routeHash({ page: "run", runId, tab: "graph", nodeId: node.nodeId })}>
        <ForeignText text={node.nodeId} id />
      </a>
      <span className={styles.why}>
        {causes.length > 0 ? (
          <>
            {t("run.overview.waitsFor")} <NodeLinks runId={runId} tab="graph" nodeIds={causes} />
          </>
        ) : (
          <GuidanceLink code={node.latestResultCode ?? node.statusReason ?? ""} />
        )}
      </span>
    </li>
  );
}

function RunFacts({ detail }: { readonly detail: RunDetail }) {
  const { t } = useTranslation();
  const { run } = detail;
  const hash = (value: string, what: string): ReactNode =>
    value === "" ? <Absent /> : <CopyId id={value} short={`${value.slice(0, 12)}…`} what={what} />;
  return (
    <Facts roomy>
      <Fact label={t("run.runId")} wide>
        <CopyId id={run.runId} what={t("run.runId")} />
      </Fact>
      <Fact label={t("run.network")}>
        <ForeignText text={run.networkId} id />
      </Fact>
      <Fact label={t("run.asOf")}>
        <MinuteTime at={run.asOf} />
      </Fact>
      <RunTimes run={run} />
      <Fact label={t("run.bundle")}>{hash(detail.bundleSha256, "bundle")}</Fact>
      <Fact label={t("run.definition")}>{hash(detail.definitionSha256, t("run.definition"))}</Fact>
      <Fact label={t("run.versions")}>
        <ForeignText text={`${detail.flowVersion} / ${detail.engineVersion}`} />
      </Fact>
      <Fact label={t("run.hold")}>
        <HoldText hold={detail.hold} />
      </Fact>
    </Facts>
  );
}

/** The record's own times, each marked as kept to the minute. */
function RunTimes({ run }: { readonly run: RunDetail["run"] }) {
  const { t } = useTranslation();
  const times = [
    [t("run.startedAt"), run.startedAt],
    [t("run.finishedAt"), run.finishedAt],
    [t("run.createdAt"), run.createdAt],
    [t("run.updatedAt"), run.updatedAt],
  ] as const;
  return times.map(([label, at]) => (
    <Fact key={label} label={label} minute>
      <MinuteTime at={at} />
    </Fact>
  ));
}

function HoldText({ hold }: { readonly hold: RunDetail["hold"] }) {
  const { t } = useTranslation();
  const timeZone = useTimeZone();
  const language = useLanguage();
  if (hold === null) return t("run.notSet");
  const time = minuteText(hold.requestedAt, timeZone, language);
  return t("run.holdBy", { who: markedText(hold.requestedBy, true), time });
}
