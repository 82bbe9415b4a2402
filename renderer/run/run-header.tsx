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

function Fact({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function RunFacts({ detail }: { readonly detail: RunDetail }) {
  const { t } = useTranslation();
  const { run, hold } = detail;
  const timeZone = useTimeZone();
  const language = useLanguage();
  const minute = (label: string): string => `${label} (${t("time.minutePrecision")})`;
  return (
    <dl className={styles.facts}>
      <Fact label={t("run.network")}>
        <ForeignText text={run.networkId} />
      </Fact>
      <Fact label={t("run.runId")}>
        <CopyId id={run.runId} what={t("run.runId")} />
      </Fact>
      <Fact label={minute(t("run.startedAt"))}>
        <MinuteTime at={run.startedAt} />
      </Fact>
      <Fact label={minute(t("run.finishedAt"))}>
        <MinuteTime at={run.finishedAt} />
      </Fact>
      <Fact label={minute(t("run.createdAt"))}>
        <MinuteTime at={run.createdAt} />
      </Fact>
      <Fact label={minute(t("run.updatedAt"))}>
        <MinuteTime at={run.updatedAt} />
      </Fact>
      <Fact label={t("run.asOf")}>
        <MinuteTime at={run.asOf} />
      </Fact>
      <Fact label={t("run.hold")}>
        {hold === null
          ? t("run.notSet")
          : t("run.holdBy", {
              who: hold.requestedBy,
              time: minuteText(hold.requestedAt, timeZone, language),
            })}
      </Fact>
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
    </dl>
  );
}
