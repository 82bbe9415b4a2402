import { useTranslation } from "react-i18next";
import type { Operation } from "../../shared/api/index.ts";
import { LOCK_RECOVERY_EXIT_CODES, type LockRecoveryOutcome } from "../../shared/contract/job-lock.ts";
import { Fact, Facts } from "../components/facts.tsx";
import note from "../components/note.module.css";
import page from "../components/page.module.css";
import { Absent, CopyId, ForeignText } from "../components/text.tsx";

const isOutcome = (value: unknown): value is LockRecoveryOutcome =>
  typeof value === "string" && Object.hasOwn(LOCK_RECOVERY_EXIT_CODES, value);

/** What the runner answered, and what that means for the job (execution-contract §2.5). */
export function JobUnlockResult({ operation }: { readonly operation: Operation }) {
  const { t } = useTranslation();
  const { outcome, recordId, batchId, host, eventId, audit } = operation.detail;
  if (!isOutcome(outcome)) return null;
  return (
    <>
      <p className={note.note} data-testid="job-unlock-outcome" data-outcome={outcome}>
        {t(`jobLocks.outcome.${outcome}`)} <span className={page.quiet}>({outcome})</span>
      </p>
      {audit === "PENDING" && <p className={note.note}>{t("jobLocks.outcome.auditPending")}</p>}
      <Facts>
        <Fact label={t("jobLocks.detail.host")}>
          {host ? <ForeignText text={String(host)} /> : <Absent />}
        </Fact>
        <Fact label={t("jobLocks.detail.record")}>
          {recordId ? <CopyId id={String(recordId)} what={t("jobLocks.detail.record")} /> : <Absent />}
        </Fact>
        <Fact label={t("jobLocks.detail.batch")} wide>
          {batchId ? <CopyId id={String(batchId)} what={t("jobLocks.detail.batch")} /> : <Absent />}
        </Fact>
        {eventId && (
          <Fact label={t("release.outcome.event")} wide>
            <CopyId id={String(eventId)} what={t("release.outcome.event")} always />
          </Fact>
        )}
      </Facts>
    </>
  );
}
