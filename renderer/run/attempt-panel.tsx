import { Select } from "@fluentui/react-components";
import type { TFunction } from "i18next";
import { type ReactNode, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import type { AttemptFacts, ResolutionFacts } from "../../shared/api/index.ts";
import { LongText } from "../components/long-text.tsx";
import page from "../components/page.module.css";
import { Panel } from "../components/panel.tsx";
import { OutcomeBadge } from "../components/status.tsx";
import { Absent, CopyId, Duration, ForeignText, MinuteTime } from "../components/text.tsx";
import unseen from "../components/unseen.module.css";
import { GuidanceLink } from "../guidance/guidance-link.tsx";
import { useLanguage } from "../state/context.tsx";
import { AttemptEvidence } from "./attempt-evidence.tsx";
import styles from "./run.module.css";
import type { TabProps } from "./tab-props.ts";

interface AttemptPanelProps extends Pick<TabProps, "detail"> {
  readonly attempt: AttemptFacts;
}

/** An attempt by the name of its node and its number. */
export const attemptTitle = ({ nodeId, attemptNo }: AttemptFacts, t: TFunction): string =>
  `${nodeId} · ${t("run.panel.attempt", { no: attemptNo })}`;

/** One attempt with every fact of it, beside another one of the same node when the operator compares. */
export function AttemptPanel({ detail, attempt }: AttemptPanelProps) {
  const { t } = useTranslation();
  const [otherId, setOtherId] = useState("");
  const others = detail.attempts.filter(
    (each) => each.nodeId === attempt.nodeId && each.attemptId !== attempt.attemptId,
  );
  const other = others.find((each) => each.attemptId === otherId) ?? null;
  const resolutions = detail.resolutions.filter((each) => each.attemptId === attempt.attemptId);
  return (
    <Panel title={attemptTitle(attempt, t)}>
      {others.length > 0 && (
        <CompareWith others={others} value={other?.attemptId ?? ""} onChoose={setOtherId} />
      )}
      <FactTable attempt={attempt} other={other} />
      <section className={page.section} aria-label={t("run.attempts.message")}>
        <h3 className={page.heading}>{t("run.attempts.message")}</h3>
        {attempt.errorMessage === null ? (
          <Absent />
        ) : (
          <LongText key={attempt.attemptId} text={attempt.errorMessage} />
        )}
      </section>
      {resolutions.length > 0 && <Resolutions resolutions={resolutions} />}
      <AttemptEvidence attempt={attempt} />
    </Panel>
  );
}

interface CompareWithProps {
  readonly others: readonly AttemptFacts[];
  readonly value: string;
  readonly onChoose: (attemptId: string) => void;
}

function CompareWith({ others, value, onChoose }: CompareWithProps) {
  const { t } = useTranslation();
  const id = useId();
  return (
    <span className={styles.compare}>
      <label htmlFor={id}>{t("run.panel.compare")}</label>
      <Select id={id} size="small" value={value} onChange={(_, data) => onChoose(data.value)}>
        <option value="">{t("run.panel.compareNone")}</option>
        {others.map((each) => (
          <option key={each.attemptId} value={each.attemptId}>
            {t("run.panel.attempt", { no: each.attemptNo })}
          </option>
        ))}
      </Select>
    </span>
  );
}

type Fact = readonly [label: string, show: (attempt: AttemptFacts) => ReactNode, same: keyof AttemptFacts];

function useFacts(): readonly Fact[] {
  const { t } = useTranslation();
  const count = new Intl.NumberFormat(useLanguage());
  const id = (value: string | null, what: string): ReactNode =>
    value === null ? <Absent /> : <CopyId id={value} what={what} />;
  const text = (value: string | null): ReactNode =>
    value === null ? <Absent /> : <ForeignText text={value} />;
  const minute = (label: string): string => `${label} (${t("time.minutePrecision")})`;
  return [
    [t("run.attempts.status"), (a) => <OutcomeBadge status={a.status} />, "status"],
    [t("run.attempts.code"), (a) => <GuidanceLink code={a.resultCode} />, "resultCode"],
    [minute(t("run.attempts.mark")), (a) => <MinuteTime at={a.executionStartedAt} />, "executionStartedAt"],
    [
      minute(t("run.attempts.sqlStart")),
      (a) => <MinuteTime at={a.runnerExecutionStartedAt} />,
      "runnerExecutionStartedAt",
    ],
    [minute(t("run.attempts.finishedAt")), (a) => <MinuteTime at={a.finishedAt} />, "finishedAt"],
    [t("run.attempts.duration"), (a) => <Duration seconds={a.durationSec} />, "durationSec"],
    [t("run.attempts.read"), (a) => count.format(a.readCount), "readCount"],
    [t("run.attempts.written"), (a) => count.format(a.writtenCount), "writtenCount"],
    [t("run.attempts.chunk"), (a) => a.lastSuccessfulChunkNo ?? <Absent />, "lastSuccessfulChunkNo"],
    [t("run.attempts.lastKey"), (a) => text(a.lastWrittenKey), "lastWrittenKey"],
    [t("run.attempts.job"), (a) => text(a.jobId), "jobId"],
    [t("run.attempts.id"), (a) => id(a.attemptId, t("run.attempts.id")), "attemptId"],
    [t("run.attempts.invocation"), (a) => id(a.invocationId, t("run.invocations.id")), "invocationId"],
    [t("run.attempts.execution"), (a) => id(a.executionId, t("run.attempts.execution")), "executionId"],
  ];
}

interface FactTableProps {
  readonly attempt: AttemptFacts;
  readonly other: AttemptFacts | null;
}

/** The facts one below the other; beside them another attempt's, where they differ marked with a sign and a word. */
function FactTable({ attempt, other }: FactTableProps) {
  const { t } = useTranslation();
  const facts = useFacts();
  const name = (each: AttemptFacts): string => t("run.panel.attempt", { no: each.attemptNo });
  return (
    <table className={styles.factTable}>
      <caption className={unseen.unseen}>{t("run.panel.facts")}</caption>
      <thead className={other === null ? unseen.unseen : undefined}>
        <tr>
          <th scope="col">{t("run.panel.fact")}</th>
          <th scope="col">{name(attempt)}</th>
          {other !== null && <th scope="col">{name(other)}</th>}
        </tr>
      </thead>
      <tbody>
        {facts.map(([label, show, field]) => {
          const differs = other !== null && attempt[field] !== other[field];
          return (
            <tr key={field}>
              <th scope="row">
                {label}
                {differs && <span className={styles.differs}> ≠ {t("run.panel.differs")}</span>}
              </th>
              <td>{show(attempt)}</td>
              {other !== null && <td>{show(other)}</td>}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

/** What people decided on the attempt; kept apart from what the attempt itself said (operator-ux §1.2). */
function Resolutions({ resolutions }: { readonly resolutions: readonly ResolutionFacts[] }) {
  const { t } = useTranslation();
  return (
    <section className={page.section} aria-label={t("run.resolution.title")}>
      <h3 className={page.heading}>{t("run.resolution.title")}</h3>
      {resolutions.map((each) => (
        <dl key={each.recordId} className={styles.record}>
          <dt>{t("run.resolution.outcome")}</dt>
          <dd>
            <OutcomeBadge status={each.outcome} /> <ForeignText text={each.resolutionType} />
          </dd>
          <dt>{t("run.resolution.by")}</dt>
          <dd>
            <ForeignText text={[each.requestedBy, each.approvedBy].filter(Boolean).join(" / ")} />
          </dd>
          <dt>{t("run.resolution.reason")}</dt>
          <dd>
            <ForeignText text={each.reason} />
          </dd>
          <dt>{t("run.resolution.evidence")}</dt>
          <dd>
            <ForeignText text={each.evidenceRef} />
          </dd>
        </dl>
      ))}
    </section>
  );
}
