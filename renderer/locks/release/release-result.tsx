import { Button } from "@fluentui/react-components";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import type { Operation } from "../../../shared/api/index.ts";
import { runIntent } from "../../action/names.ts";
import { routeHash } from "../../app/routes.ts";
import { goTo } from "../../app/use-route.ts";
import { Fact, Facts } from "../../components/facts.tsx";
import { CopyId, ForeignText } from "../../components/text.tsx";
import { useStores } from "../../state/context.tsx";
import { markedText } from "../../text/marks.ts";
import styles from "./release.module.css";

const textOf = (value: Operation["detail"][string] | undefined): string =>
  value === null || value === undefined ? "" : String(value);

/** What a forced release came to: its audit, and for every node it left open what to do next (operator-ux §2.3, step 8). */
export function ReleaseResult({ operation }: { readonly operation: Operation }) {
  const { t } = useTranslation();
  if (operation.problem?.code === "AUDIT_FAILED") return <TwoStep />;
  if (operation.state !== "done") return null;
  const { eventId, revision, previousOwnerInvocationId, audit } = operation.detail;
  return (
    <>
      <p className={styles.done} data-testid="released">
        <ForeignText text={t("release.outcome.released", { network: operation.networkId ?? "" })} id />
      </p>
      <Facts>
        <Fact label={t("release.outcome.event")} wide>
          <CopyId id={textOf(eventId)} what={t("release.outcome.event")} always />
        </Fact>
        <Fact label={t("release.outcome.owner")} wide>
          <CopyId id={textOf(previousOwnerInvocationId)} what={t("release.outcome.owner")} always />
        </Fact>
        <Fact label={t("release.outcome.revision")}>{textOf(revision)}</Fact>
      </Facts>
      {audit === "PENDING" && <p className={styles.warn}>{t("release.outcome.auditPending")}</p>}
      <NextPerNode />
    </>
  );
}

/** The audit was refused, so nothing was released; the second step is chosen by hand and confirmed anew (fenced-writes R7). */
function TwoStep() {
  const { t } = useTranslation();
  const { action } = useStores();
  const choose = (): void => {
    action.edit({ withoutAudit: true });
    void action.again();
  };
  return (
    <div className={styles.warn} data-testid="two-step">
      <strong>{t("release.twoStep.title")}</strong>
      <p>{t("release.twoStep.text")}</p>
      <div>
        <Button onClick={choose}>{t("release.twoStep.choose")}</Button>
      </div>
    </div>
  );
}

/** From what was read before: the lock is gone, its Run and nodes are as they were. */
function NextPerNode() {
  const { t } = useTranslation();
  const { action, locks } = useStores();
  const detail = useStore(locks.store, (state) => state.detail.value);
  const holder = detail?.lock.holder ?? null;
  if (detail === null || holder === null) return null;
  const { runId, businessKey } = holder;
  if (runId === null) return <p>{t("release.outcome.noRun")}</p>;
  const resume = (): void => {
    goTo({ page: "run", runId });
    void action.open(runIntent("resume", runId), { subject: { runId, businessKey } });
  };
  const key = markedText(businessKey ?? runId, true);
  const jobLock = detail.probes.find(({ probe, state }) => probe === "jobLock" && state === "held");
  return (
    <section className={styles.block} aria-labelledby="release-next">
      <h3 className={styles.small} id="release-next">
        {t("release.outcome.next")}
      </h3>
      <p>{t(detail.currentNodes.length > 0 ? "release.outcome.resume" : "release.outcome.resumeNone")}</p>
      <ul className={styles.nodes}>
        {detail.currentNodes.map(({ nodeId, attemptNo }) => (
          <li key={nodeId}>
            <a href={routeHash({ page: "run", runId, nodeId })}>
              <ForeignText text={t("release.outcome.node", { node: nodeId, no: attemptNo })} id />
            </a>
          </li>
        ))}
      </ul>
      <div className={styles.buttons}>
        <Button appearance="primary" onClick={resume}>
          {t("action.kind.resume.title", { subject: key })}
        </Button>
        <Button onClick={() => goTo({ page: "recovery", runId })}>{t("release.toRecovery")}</Button>
        <Button onClick={() => goTo({ page: "run", runId })}>{t("release.toRun", { key })}</Button>
        {jobLock && <Button onClick={() => goTo({ page: "jobLocks" })}>{t("release.toJobLock")}</Button>}
      </div>
    </section>
  );
}
