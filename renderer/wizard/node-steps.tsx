import { Button } from "@fluentui/react-components";
import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import type { RecoveryPicture } from "../../shared/api/index.ts";
import { routeHash } from "../app/routes.ts";
import link from "../components/link.module.css";
import page from "../components/page.module.css";
import { ProblemPanel } from "../components/problem.tsx";
import { OutcomeBadge } from "../components/status.tsx";
import { cell, Table } from "../components/table.tsx";
import { ForeignText } from "../components/text.tsx";
import { useGate, useStores } from "../state/context.tsx";
import { markedText } from "../text/marks.ts";
import { ForecastText } from "../unknown/forecast.tsx";
import styles from "./wizard.module.css";

interface StepProps {
  readonly picture: RecoveryPicture;
}

/** What a resume would make of each attempt that was left open; the resume itself where it is its turn. */
export function JudgeStep({ picture, now }: StepProps & { readonly now: boolean }) {
  const { t } = useTranslation();
  const columns = (["node", "attempt", "forecast"] as const).map((key) => ({
    key,
    label: t(`recovery.forecast.${key}`),
  }));
  return (
    <>
      <Table caption={t("recovery.forecast.caption")} columns={columns}>
        {picture.orphans.map(({ nodeId, attemptNo, forecast }) => (
          <tr key={nodeId} data-node={nodeId}>
            <td className={cell.name}>
              <a
                className={link.crumb}
                href={routeHash({ page: "unknowns", node: { runId: picture.runId, nodeId } })}
              >
                <ForeignText text={nodeId} id />
              </a>
            </td>
            <td className={cell.name}>{t("unknown.detail.attemptNo", { no: attemptNo })}</td>
            <td>{forecast && <ForecastText forecast={forecast} />}</td>
          </tr>
        ))}
      </Table>
      {now && <Resume picture={picture} label={t("recovery.step.adjudicate.resume")} />}
    </>
  );
}

/** A way to every node that nobody knows the end of, and who decided what about the others. */
export function ResolveStep({ picture, now }: StepProps & { readonly now: boolean }) {
  const { t } = useTranslation();
  const { runId, unknown, resolutions } = picture;
  return (
    <>
      {resolutions.length > 0 && (
        <ul className={styles.list}>
          {resolutions.map((decision) => (
            <li key={decision.recordId} data-decision={decision.outcome}>
              <ForeignText text={decision.nodeId} id /> <OutcomeBadge status={decision.outcome} />{" "}
              <ForeignText text={whoText(decision, t)} />
            </li>
          ))}
        </ul>
      )}
      {now && (
        <ul className={styles.list}>
          {unknown.map(({ nodeId }) => (
            <li key={nodeId}>
              <a className={styles.go} href={routeHash({ page: "unknowns", node: { runId, nodeId } })}>
                {t("recovery.step.resolve.open", { node: markedText(nodeId, true) })}
              </a>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function whoText(decision: RecoveryPicture["resolutions"][number], t: TFunction): string {
  const { requestedBy: by, stopConfirmedBy: confirmedBy, approvedBy } = decision;
  if (approvedBy === null || approvedBy === "") return t("recovery.who", { by, confirmedBy });
  return t("recovery.whoApproved", { by, confirmedBy, approvedBy });
}

/** The way to each lock that a killed job left behind, and why there may be more. */
export function JobLockStep({ picture, now }: StepProps & { readonly now: boolean }) {
  const { t } = useTranslation();
  const { jobLocks, jobLocksProblem } = picture;
  return (
    <>
      {jobLocksProblem && <ProblemPanel problem={jobLocksProblem} />}
      {now && (
        <ul className={styles.list}>
          {jobLocks.map(({ jobKey }) => (
            <li key={jobKey}>
              <a className={styles.go} href={routeHash({ page: "jobLocks", jobKey })}>
                {t("recovery.step.jobLock.open", { job: markedText(jobKey, true) })}
              </a>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** The resume that runs what is left. */
export function ResumeStep({ picture }: StepProps) {
  const { t } = useTranslation();
  return <Resume picture={picture} label={t("recovery.step.resume.open")} />;
}

function Resume({ picture, label }: StepProps & { readonly label: string }) {
  const { t } = useTranslation();
  const { action } = useStores();
  const gate = useGate();
  const { runId, businessKey, networkId } = picture;
  const resume = (): void => {
    const subject = { runId, businessKey, networkId };
    void action.open({ kind: "resume", runId, reason: "" }, { subject });
  };
  return (
    <div className={styles.buttons}>
      <Button appearance="primary" disabledFocusable={gate !== null} onClick={resume}>
        {label}
      </Button>
      {gate !== null && <span className={page.quiet}>{t(`action.missing.${gate}`)}</span>}
    </div>
  );
}
