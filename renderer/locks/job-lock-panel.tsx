import { Button } from "@fluentui/react-components";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import type { JobLock } from "../../shared/api/index.ts";
import { routeHash } from "../app/routes.ts";
import { Fact, Facts } from "../components/facts.tsx";
import link from "../components/link.module.css";
import page from "../components/page.module.css";
import { Panel, PanelLine } from "../components/panel.tsx";
import { ProblemPanel } from "../components/problem.tsx";
import { RunStatusBadge } from "../components/status.tsx";
import { Absent, CopyId, ExactTime, ForeignText, useSecondText } from "../components/text.tsx";
import { useStores } from "../state/context.tsx";
import { inspectionOf } from "../state/job-locks.ts";
import { markedText } from "../text/marks.ts";
import { JobLockState, phaseOfJobLock } from "./job-lock-state.tsx";
import styles from "./locks.module.css";

/** The job's own name: what stands behind the profile in its key (execution-contract §7.1). */
const jobOf = (jobKey: string): string => jobKey.slice(jobKey.indexOf(":") + 1);

/** One job lock: who holds it as the runner says, which Runs it may belong to, and what to do about it. */
export function JobLockPanel({ jobKey }: { readonly jobKey: string }) {
  const { t } = useTranslation();
  const { jobLocks } = useStores();
  const heard = useStore(jobLocks.store, (state) => inspectionOf(state, jobKey));
  const secondText = useSecondText();
  const phase = phaseOfJobLock(heard);
  const { value, problem } = heard;
  const again = { label: t("jobLocks.detail.again"), run: () => void jobLocks.inspect() };
  return (
    <Panel title={t("jobLocks.detail.title", { job: jobOf(jobKey) })}>
      <PanelLine>
        <JobLockState phase={phase} large />
        {value && (
          <span className={page.quiet}>
            {t("jobLocks.detail.askedAt", { time: secondText(value.inspectedAt) })}
          </span>
        )}
        <span className={page.spacer} />
        <Button size="small" disabledFocusable={phase === "asking"} onClick={again.run}>
          {again.label}
        </Button>
      </PanelLine>
      {problem && <ProblemPanel problem={problem} action={again} />}
      {value && <Held lock={value} />}
    </Panel>
  );
}

function Held({ lock }: { readonly lock: JobLock }) {
  const { t } = useTranslation();
  const { action } = useStores();
  const { record, jobKey, runs } = lock;
  const phase = lock.locked === null ? "unknown" : lock.locked && record !== null ? "held" : "free";
  const [first] = runs;
  const release = (): void => {
    void action.open(
      {
        kind: "jobUnlock",
        jobKey,
        runId: first?.runId ?? null,
        nodeId: first?.nodeId ?? null,
        stopConfirmedBy: "",
        evidenceText: "",
        evidenceFiles: [],
        reason: "",
      },
      { subject: { jobKey } },
    );
  };
  return (
    <>
      {record !== null && <HolderFacts lock={lock} record={record} />}
      <RunsOfJob lock={lock} />
      <section className={page.section} aria-labelledby="job-lock-what">
        <h3 className={page.heading} id="job-lock-what">
          {t("jobLocks.detail.what")}
        </h3>
        <p className={page.text}>{t(`jobLocks.runbook.${phase}`)}</p>
        {phase === "held" && (
          <div>
            <Button onClick={release}>
              {t("jobLocks.detail.unlock", { job: markedText(jobOf(jobKey), true) })}
            </Button>
          </div>
        )}
      </section>
    </>
  );
}

interface HolderFactsProps {
  readonly lock: JobLock;
  readonly record: NonNullable<JobLock["record"]>;
}

function HolderFacts({ lock, record }: HolderFactsProps) {
  const { t } = useTranslation();
  const place = lock.thisHost ? t("locks.detail.thisHost") : t("locks.detail.otherHost");
  return (
    <Facts>
      <Fact label={t("jobLocks.detail.host")}>
        {record.host === "" ? (
          <Absent />
        ) : (
          <>
            <ForeignText text={record.host} /> <span className={page.quiet}>({place})</span>
          </>
        )}
      </Fact>
      <Fact label={t("jobLocks.detail.started")}>
        {record.startedAt === null ? <Absent /> : <ExactTime at={record.startedAt} />}
      </Fact>
      <Fact label={t("jobLocks.detail.script")}>
        {record.scriptName === "" ? <Absent /> : <ForeignText text={record.scriptName} />}
      </Fact>
      <Fact label={t("jobLocks.detail.record")}>
        <CopyId id={record.recordId} what={t("jobLocks.detail.record")} always />
      </Fact>
      <Fact label={t("jobLocks.detail.batch")} wide>
        <CopyId id={record.batchId} what={t("jobLocks.detail.batch")} always />
      </Fact>
    </Facts>
  );
}

function RunsOfJob({ lock: { runs } }: { readonly lock: JobLock }) {
  const { t } = useTranslation();
  return (
    <section className={page.section} aria-labelledby="job-lock-runs">
      <h3 className={page.heading} id="job-lock-runs">
        {t("jobLocks.detail.runs")}
      </h3>
      {runs.length === 0 ? (
        <p className={page.quiet}>{t("jobLocks.detail.noRuns")}</p>
      ) : (
        <ul className={styles.runs}>
          {runs.map(({ runId, nodeId, businessKey, status }) => (
            <li key={`${runId} ${nodeId}`}>
              <a className={link.link} href={routeHash({ page: "run", runId, nodeId })}>
                <ForeignText text={`${businessKey} › ${nodeId}`} id />
              </a>
              <RunStatusBadge status={status} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
