import { type ReactNode, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import type { AttemptFacts } from "../../shared/api/index.ts";
import page from "../components/page.module.css";
import { OutcomeBadge } from "../components/status.tsx";
import { type Column, cell, Table } from "../components/table.tsx";
import { Absent, CopyId, Duration, ForeignText, MinuteTime } from "../components/text.tsx";
import { useLanguage } from "../state/context.tsx";
import styles from "./run.module.css";

/** Every attempt ever made, newest last, each with all that was recorded of it (operator-ux §1.1). */
export function AttemptsTable({ attempts }: { readonly attempts: readonly AttemptFacts[] }) {
  const { t } = useTranslation();
  const columns: readonly Column[] = [
    { key: "node", label: t("run.attempts.node") },
    { key: "no", label: t("run.attempts.attempt"), align: "right" },
    { key: "status", label: t("run.attempts.status") },
    { key: "code", label: t("run.attempts.code") },
    { key: "mark", label: t("run.attempts.mark"), minute: true },
    { key: "sql", label: t("run.attempts.sqlStart"), minute: true },
    { key: "end", label: t("run.attempts.finishedAt"), minute: true },
    { key: "duration", label: t("run.attempts.duration"), align: "right" },
    { key: "read", label: t("run.attempts.read"), align: "right" },
    { key: "written", label: t("run.attempts.written"), align: "right" },
  ];
  return (
    <section className={page.section} aria-labelledby="attempts">
      <h2 className={page.heading} id="attempts">
        {t("run.attempts.title")}
      </h2>
      {attempts.length === 0 ? (
        <div className={page.empty}>
          <p>{t("run.attempts.empty")}</p>
        </div>
      ) : (
        <Table caption={t("run.attempts.caption")} columns={columns}>
          {attempts.map((attempt) => (
            <AttemptLine key={attempt.attemptId} attempt={attempt} width={columns.length} />
          ))}
        </Table>
      )}
    </section>
  );
}

function AttemptLine({ attempt, width }: { readonly attempt: AttemptFacts; readonly width: number }) {
  const [open, setOpen] = useState(false);
  const recordId = useId();
  return (
    <>
      <tr data-attempt={attempt.attemptId}>
        <td className={cell.name}>
          <Toggle attempt={attempt} open={open} controls={recordId} onToggle={() => setOpen(!open)} />
          <strong>
            <ForeignText text={attempt.nodeId} />
          </strong>
        </td>
        <AttemptCells attempt={attempt} />
      </tr>
      <tr id={recordId} hidden={!open}>
        <td colSpan={width}>{open && <AttemptRecord attempt={attempt} />}</td>
      </tr>
    </>
  );
}

interface ToggleProps {
  readonly attempt: AttemptFacts;
  readonly open: boolean;
  readonly controls: string;
  readonly onToggle: () => void;
}

function Toggle({ attempt, open, controls, onToggle }: ToggleProps) {
  const { t } = useTranslation();
  return (
    <button
      type="button"
      className={styles.toggle}
      aria-expanded={open}
      aria-controls={controls}
      aria-label={t("run.attempts.more", { node: attempt.nodeId, no: attempt.attemptNo })}
      onClick={onToggle}
    >
      <svg width="12" height="12" viewBox="0 0 12 12" fill="none" stroke="currentColor" aria-hidden="true">
        <path d={open ? "M2.5 4.5L6 8l3.5-3.5" : "M4.5 2.5L8 6 4.5 9.5"} strokeWidth="1.5" />
      </svg>
    </button>
  );
}

function AttemptCells({ attempt }: { readonly attempt: AttemptFacts }) {
  const count = new Intl.NumberFormat(useLanguage());
  return (
    <>
      <td className={cell.number}>{attempt.attemptNo}</td>
      <td>
        <OutcomeBadge status={attempt.status} />
      </td>
      <td className={`${cell.mono} ${cell.name}`}>
        <ForeignText text={attempt.resultCode} />
      </td>
      <td>
        <MinuteTime at={attempt.executionStartedAt} />
      </td>
      <td>
        <MinuteTime at={attempt.runnerExecutionStartedAt} />
      </td>
      <td>
        <MinuteTime at={attempt.finishedAt} />
      </td>
      <td className={cell.number}>
        <Duration seconds={attempt.durationSec} />
      </td>
      <td className={cell.number}>{count.format(attempt.readCount)}</td>
      <td className={cell.number}>{count.format(attempt.writtenCount)}</td>
    </>
  );
}

function AttemptRecord({ attempt }: { readonly attempt: AttemptFacts }) {
  const { t } = useTranslation();
  const id = (value: string | null, what: string): ReactNode =>
    value === null ? <Absent /> : <CopyId id={value} what={what} />;
  return (
    <dl className={styles.record}>
      <dt>{t("run.attempts.id")}</dt>
      <dd>{id(attempt.attemptId, t("run.attempts.id"))}</dd>
      <dt>{t("run.attempts.invocation")}</dt>
      <dd>{id(attempt.invocationId, t("run.invocations.id"))}</dd>
      <dt>{t("run.attempts.execution")}</dt>
      <dd>{id(attempt.executionId, t("run.attempts.execution"))}</dd>
      <dt>{t("run.attempts.job")}</dt>
      <dd>
        <ForeignText text={attempt.jobId} />
      </dd>
      <dt>{t("run.attempts.chunk")}</dt>
      <dd>{attempt.lastSuccessfulChunkNo ?? <Absent />}</dd>
      <dt>{t("run.attempts.lastKey")}</dt>
      <dd>{attempt.lastWrittenKey === null ? <Absent /> : <ForeignText text={attempt.lastWrittenKey} />}</dd>
      <dt>{t("run.attempts.message")}</dt>
      <dd>
        {attempt.errorMessage === null ? (
          <Absent />
        ) : (
          <pre className={styles.message}>
            <ForeignText text={attempt.errorMessage} />
          </pre>
        )}
      </dd>
    </dl>
  );
}
