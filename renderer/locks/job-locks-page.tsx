import { Spinner } from "@fluentui/react-components";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { goTo } from "../app/use-route.ts";
import page from "../components/page.module.css";
import { ProblemPanel } from "../components/problem.tsx";
import { Split } from "../components/split.tsx";
import { ForeignText, useSecondText } from "../components/text.tsx";
import { useStores } from "../state/context.tsx";
import { JobLockPanel } from "./job-lock-panel.tsx";
import { JobsTable } from "./jobs-table.tsx";
import { LockTabs } from "./lock-tabs.tsx";

/** ジョブロック: the jobs of the known networks, and on the right who holds the lock of one, asked when it is opened. */
export function JobLocksPage({ jobKey }: { readonly jobKey: string | undefined }) {
  const { t } = useTranslation();
  const { jobLocks } = useStores();
  const list = useStore(jobLocks.store, (state) => state.list);
  const secondText = useSecondText();
  useEffect(() => {
    void jobLocks.load();
    return () => jobLocks.leave();
  }, [jobLocks]);
  useEffect(() => {
    void jobLocks.open(jobKey ?? null);
  }, [jobLocks, jobKey]);
  const { value } = list;
  return (
    <div className={page.page}>
      <div className={page.head}>
        <h1 className={page.title}>{t("jobLocks.title")}</h1>
        {value && (
          <span className={page.quiet}>{t("jobLocks.readAt", { time: secondText(value.readAt) })}</span>
        )}
      </div>
      <LockTabs current="job" />
      <p className={page.lead}>{t("jobLocks.lead")}</p>
      {list.problem && (
        <ProblemPanel
          problem={list.problem}
          action={{ label: t("problem.retry"), run: () => void jobLocks.load() }}
        />
      )}
      {value === null && list.problem === null && (
        <Spinner size="tiny" label={t("jobLocks.loading")} labelPosition="after" />
      )}
      {value && value.unreadable.length > 0 && (
        <p className={page.lead} role="status">
          <ForeignText
            text={t("jobLocks.unreadable", {
              networks: value.unreadable.map(({ networkId }) => networkId).join(", "),
            })}
          />
        </p>
      )}
      <Split
        id="jobLocks"
        detail={jobKey === undefined ? null : <JobLockPanel jobKey={jobKey} />}
        detailKey={jobKey ?? null}
        detailLabel={t("jobLocks.detail.label")}
        onClose={() => goTo({ page: "jobLocks" })}
      >
        {value && (value.jobs.length > 0 ? <JobsTable jobs={value.jobs} /> : <NoJobs />)}
      </Split>
    </div>
  );
}

function NoJobs() {
  const { t } = useTranslation();
  return (
    <div className={page.empty}>
      <p>{t("jobLocks.empty")}</p>
      <p>{t("jobLocks.emptyNext")}</p>
    </div>
  );
}
