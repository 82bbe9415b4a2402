import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { RunDetail } from "../../shared/api/index.ts";
import page from "../components/page.module.css";
import { ActivityBadge, RunStatusBadge } from "../components/status.tsx";
import { Absent, CopyId, ForeignText, MinuteTime, useSecondText } from "../components/text.tsx";
import { useLanguage, useTimeZone } from "../state/context.tsx";
import { minuteText } from "../text/time.ts";
import styles from "./run.module.css";

/** Name, stored status and activity side by side, and the facts of the Run record. */
export function RunHeader({ detail }: { readonly detail: RunDetail }) {
  const { t } = useTranslation();
  const { run } = detail;
  return (
    <>
      <div className={page.head}>
        <h1 className={page.title}>
          <ForeignText text={run.businessKey} />
        </h1>
        <CopyId id={run.businessKey} short="" what={t("start.businessKey")} always />
      </div>
      <section className={styles.verdict}>
        <div className={styles.half}>
          <span className={styles.label}>{t("runs.column.status")}</span>
          <RunStatusBadge status={run.status} large withCode />
          <p className={styles.line}>{t(`status.line.${run.status}`)}</p>
        </div>
        <ActivityHalf detail={detail} />
      </section>
      <RunFacts detail={detail} />
    </>
  );
}

function ActivityHalf({ detail }: { readonly detail: RunDetail }) {
  const { t } = useTranslation();
  const secondText = useSecondText();
  const { activity, activityJudgedAt } = detail.run;
  return (
    <div className={styles.half}>
      <span className={styles.label}>
        {t("runs.column.activity")}
        {activityJudgedAt !== null && ` · ${t("activity.judgedAt", { time: secondText(activityJudgedAt) })}`}
      </span>
      {activity === null ? (
        <span>{t("activity.none")}</span>
      ) : (
        <>
          <ActivityBadge activity={activity} large withCode />
          <p className={styles.line}>{t(`activity.line.${activity}`)}</p>
        </>
      )}
    </div>
  );
}

interface FactProps {
  readonly label: string;
  readonly wide?: boolean;
  readonly children: ReactNode;
}

function Fact({ label, wide, children }: FactProps) {
  return (
    <div className={wide ? styles.wide : undefined}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function RunFacts({ detail }: { readonly detail: RunDetail }) {
  const { t } = useTranslation();
  const { run } = detail;
  return (
    <dl className={styles.facts}>
      <Fact label={t("run.runId")} wide>
        <CopyId id={run.runId} what={t("run.runId")} />
      </Fact>
      <Fact label={t("run.network")}>
        <ForeignText text={run.networkId} />
      </Fact>
      <Fact label={t("run.asOf")}>
        <MinuteTime at={run.asOf} />
      </Fact>
      <RunTimes run={run} />
      <Fact label={t("run.bundle")}>
        {detail.bundleSha256 === "" ? (
          <Absent />
        ) : (
          <CopyId id={detail.bundleSha256} short={`${detail.bundleSha256.slice(0, 12)}…`} what="bundle" />
        )}
      </Fact>
      <Fact label={t("run.versions")}>
        <ForeignText text={`${detail.flowVersion} / ${detail.engineVersion}`} />
      </Fact>
      <Fact label={t("run.hold")}>
        <HoldText hold={detail.hold} />
      </Fact>
    </dl>
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
    <Fact key={label} label={`${label} (${t("time.minutePrecision")})`}>
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
  return t("run.holdBy", { who: hold.requestedBy, time });
}
