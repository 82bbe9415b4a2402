import { memo } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import type { JobRow } from "../../shared/api/index.ts";
import { routeHash } from "../app/routes.ts";
import { RowLink } from "../components/row-link.tsx";
import { type Column, cell, openedRow, Table } from "../components/table.tsx";
import { ForeignText, useSecondText } from "../components/text.tsx";
import { useStores } from "../state/context.tsx";
import { inspectionOf } from "../state/job-locks.ts";
import { JobLockState, phaseOfJobLock } from "./job-lock-state.tsx";

/** Nodes named in a row; the others are counted. */
const NODES_TOLD = 3;

/** Every job with what was last heard of its lock; nothing is asked for the list's sake. */
export function JobsTable({ jobs }: { readonly jobs: readonly JobRow[] }) {
  const { t } = useTranslation();
  const narrow = useStore(useStores().jobLocks.store, (state) => state.jobKey !== null);
  const all: readonly Column[] = [
    { key: "job", label: t("jobLocks.column.job") },
    { key: "state", label: t("jobLocks.column.state") },
    { key: "nodes", label: t("jobLocks.column.nodes") },
    { key: "key", label: t("jobLocks.column.key") },
  ];
  return (
    <Table caption={t("jobLocks.caption")} columns={narrow ? all.slice(0, 2) : all}>
      {jobs.map((job) => (
        <Row key={job.jobId} job={job} narrow={narrow} />
      ))}
    </Table>
  );
}

const Row = memo(function Row({ job, narrow }: { readonly job: JobRow; readonly narrow: boolean }) {
  const { t } = useTranslation();
  const opened = useStore(useStores().jobLocks.store, (state) => state.jobKey);
  const shown = job.jobKey !== null && job.jobKey === opened;
  const name = <ForeignText text={job.jobId} id />;
  const rest = job.nodes.length - NODES_TOLD;
  return (
    <tr data-job={job.jobId} className={shown ? openedRow : undefined}>
      <td className={cell.name}>
        {job.jobKey === null ? (
          <span>{name}</span>
        ) : (
          <RowLink href={routeHash({ page: "jobLocks", jobKey: job.jobKey })} shown={shown}>
            {name}
          </RowLink>
        )}
      </td>
      <td>{job.jobKey === null ? t("jobLocks.state.noKey") : <LastHeard jobKey={job.jobKey} />}</td>
      {!narrow && (
        <>
          <td className={cell.name}>
            {job.nodes.slice(0, NODES_TOLD).map(({ networkId, nodeId }) => (
              <div key={`${networkId} ${nodeId}`}>
                <ForeignText text={`${networkId} › ${nodeId}`} id />
              </div>
            ))}
            {rest > 0 && <span className={cell.sub}>{t("jobLocks.more", { count: rest })}</span>}
          </td>
          <td className={cell.mono}>
            <ForeignText text={job.jobKey ?? job.problem?.message ?? ""} id={job.jobKey !== null} />
          </td>
        </>
      )}
    </tr>
  );
});

function LastHeard({ jobKey }: { readonly jobKey: string }) {
  const { t } = useTranslation();
  const secondText = useSecondText();
  const heard = useStore(useStores().jobLocks.store, (state) => inspectionOf(state, jobKey));
  return (
    <>
      <JobLockState phase={phaseOfJobLock(heard)} />
      {heard.value !== null && (
        <span className={cell.sub}>
          {t("jobLocks.detail.askedAt", { time: secondText(heard.value.inspectedAt) })}
        </span>
      )}
    </>
  );
}
