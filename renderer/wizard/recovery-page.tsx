import { Button, Spinner } from "@fluentui/react-components";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import type { RecoveryPicture } from "../../shared/api/index.ts";
import { routeHash } from "../app/routes.ts";
import { replaceRoute } from "../app/use-route.ts";
import link from "../components/link.module.css";
import page from "../components/page.module.css";
import { ProblemPanel } from "../components/problem.tsx";
import { SaveBundle } from "../components/save-bundle.tsx";
import { ActivityBadge, RunStatusBadge } from "../components/status.tsx";
import { ForeignText, useSecondText } from "../components/text.tsx";
import { useStaleness, useStores } from "../state/context.tsx";
import { RecoveryStep } from "./recovery-step.tsx";
import styles from "./wizard.module.css";

interface RecoveryPageProps {
  readonly runId: string | undefined;
  /** A lock whose owner's Run is to be found. */
  readonly lockId: string | undefined;
}

/** The way from an interrupted Run to its success, each step as the records say it stands. */
export function RecoveryPage({ runId, lockId }: RecoveryPageProps) {
  if (runId !== undefined) return <Recovery runId={runId} />;
  return <RunOfLock lockId={lockId ?? ""} />;
}

/** Goes on to the Run behind a lock; where that cannot be told, says so. */
function RunOfLock({ lockId }: { readonly lockId: string }) {
  const { t } = useTranslation();
  const { recovery } = useStores();
  const problem = useStore(recovery.store, (state) => state.lockProblem);
  const [unknown, setUnknown] = useState(false);
  useEffect(() => {
    void recovery.runOfLock(lockId).then((runId) => {
      if (runId !== null) replaceRoute({ page: "recovery", runId });
      else setUnknown(true);
    });
  }, [recovery, lockId]);
  return (
    <div className={page.page}>
      {problem && <ProblemPanel problem={problem} />}
      {unknown ? (
        <div className={page.empty}>
          <p>{t(problem === null ? "recovery.noRun" : "recovery.lockGone")}</p>
          <a className={link.crumb} href={routeHash({ page: "locks" })}>
            {t("recovery.toLocks")}
          </a>
        </div>
      ) : (
        <Spinner size="tiny" label={t("recovery.reading")} labelPosition="after" />
      )}
    </div>
  );
}

function Recovery({ runId }: { readonly runId: string }) {
  const { t } = useTranslation();
  const { recovery } = useStores();
  const { value, problem, phase } = useStore(recovery.store, (state) => state.picture);
  useEffect(() => {
    void recovery.open(runId);
    return () => recovery.close();
  }, [recovery, runId]);
  return (
    <div className={page.page}>
      <div>
        <a className={link.crumb} href={routeHash({ page: "run", runId })}>
          {t("recovery.back")}
        </a>
      </div>
      {problem && (
        <ProblemPanel
          problem={problem}
          action={{ label: t("problem.retry"), run: () => void recovery.read() }}
        />
      )}
      {value === null && problem === null && (
        <Spinner size="tiny" label={t("recovery.reading")} labelPosition="after" />
      )}
      {value && <Steps picture={value} busy={phase === "loading"} />}
    </div>
  );
}

function Steps({ picture, busy }: { readonly picture: RecoveryPicture; readonly busy: boolean }) {
  const { t } = useTranslation();
  const { recovery } = useStores();
  const secondText = useSecondText();
  const staleness = useStaleness();
  const old = staleness === "stale" || staleness === "lost";
  const { activity, runStatus } = picture;
  return (
    <div className={`${page.section} ${old ? page.stale : ""}`} style={{ gap: 16 }}>
      <div className={page.head}>
        <h1 className={page.title}>
          <ForeignText text={t("recovery.title", { subject: picture.businessKey })} id />
        </h1>
        <RunStatusBadge status={runStatus} large withCode />
        {activity !== null && <ActivityBadge activity={activity} large withCode />}
        <span className={page.spacer} />
        <span className={page.quiet}>{t("recovery.readAt", { time: secondText(picture.readAt) })}</span>
        <Button size="small" disabledFocusable={busy} onClick={() => void recovery.read()}>
          {t("recovery.again")}
        </Button>
      </div>
      <p className={page.lead}>{t("recovery.lead")}</p>
      <ol className={styles.steps} aria-label={t("recovery.steps")}>
        {picture.steps.map(({ step, state }, index) => (
          <RecoveryStep key={step} step={step} state={state} number={index + 1} picture={picture} />
        ))}
      </ol>
      <SaveBundle runId={picture.runId} />
    </div>
  );
}
