import { useTranslation } from "react-i18next";
import type { RunDetail } from "../../shared/api/index.ts";
import { RunActions } from "../action/run-actions.tsx";
import page from "../components/page.module.css";
import { ActivityBadge, RunStatusBadge } from "../components/status.tsx";
import { CopyId, ForeignText, useSecondText } from "../components/text.tsx";
import { RecoveryLink } from "../wizard/recovery-link.tsx";
import styles from "./run.module.css";

/** Name, stored status and activity side by side, above every tab (operator-ux §1.1). */
export function RunHeader({ detail }: { readonly detail: RunDetail }) {
  const { t } = useTranslation();
  const { run } = detail;
  return (
    <div className={page.head}>
      <h1 className={page.title}>
        <ForeignText text={run.businessKey} id />
      </h1>
      <CopyId id={run.businessKey} short="" what={t("start.businessKey")} always />
      <span className={styles.state}>
        <span className={styles.label}>{t("runs.column.status")}</span>
        <RunStatusBadge status={run.status} large withCode />
      </span>
      <ActivityState detail={detail} />
      <span className={page.spacer} />
      {(run.activity === "INTERRUPTED" || run.status === "UNKNOWN") && <RecoveryLink runId={run.runId} />}
      <RunActions detail={detail} />
    </div>
  );
}

function ActivityState({ detail }: { readonly detail: RunDetail }) {
  const { t } = useTranslation();
  const secondText = useSecondText();
  const { activity, activityJudgedAt } = detail.run;
  return (
    <span className={styles.state}>
      <span className={styles.label}>{t("runs.column.activity")}</span>
      {activity === null ? (
        <span>{t("activity.none")}</span>
      ) : (
        <ActivityBadge activity={activity} large withCode />
      )}
      {activityJudgedAt !== null && (
        <span className={styles.label}>{t("activity.judgedAt", { time: secondText(activityJudgedAt) })}</span>
      )}
    </span>
  );
}
