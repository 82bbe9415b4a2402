import { useTranslation } from "react-i18next";
import type { UnknownDetail } from "../../shared/api/index.ts";
import { routeHash } from "../app/routes.ts";
import { Fact, Facts } from "../components/facts.tsx";
import link from "../components/link.module.css";
import note from "../components/note.module.css";
import page from "../components/page.module.css";
import { NodeStatusBadge, RunStatusBadge } from "../components/status.tsx";
import { Absent, CopyId, ForeignText } from "../components/text.tsx";
import styles from "./unknown.module.css";

/** What it is about, the one line for whoever looks, and where the attempt ran. */
export function NodeHead({ detail }: { readonly detail: UnknownDetail }) {
  const { t } = useTranslation();
  const { runId, nodeId, businessKey, attempt, kind } = detail;
  return (
    <div className={page.section}>
      <div className={page.head}>
        <h1 className={page.title}>
          <ForeignText text={`${businessKey} › ${nodeId}`} id />
        </h1>
        <NodeStatusBadge status={detail.nodeStatus} />
        {attempt !== null && (
          <span className={page.quiet}>{t("unknown.detail.attemptNo", { no: attempt.attemptNo })}</span>
        )}
      </div>
      <p className={`${note.note} ${styles.instruction}`} data-kind={kind}>
        {t(`unknown.line.${kind === "settled" && detail.resolutions.length > 0 ? "resolved" : kind}`)}
      </p>
      <Facts roomy>
        <Fact label={t("unknown.detail.run")}>
          <a className={link.link} href={routeHash({ page: "run", runId, nodeId })}>
            <ForeignText text={businessKey} id />
          </a>
        </Fact>
        <Fact label={t("unknown.detail.runStatus")}>
          <RunStatusBadge status={detail.runStatus} withCode />
        </Fact>
        <Fact label={t("unknown.detail.host")}>
          <Host detail={detail} />
        </Fact>
        <Fact label={t("unknown.detail.attempt")}>
          {attempt === null ? (
            <Absent />
          ) : (
            <CopyId id={attempt.attemptId} what={t("unknown.detail.attempt")} />
          )}
        </Fact>
        <Fact label={t("unknown.detail.node")}>
          {t(detail.idempotent ? "unknown.detail.idempotent" : "unknown.detail.once")}
        </Fact>
        <Fact label={t("unknown.detail.wizard")}>
          <a className={link.link} href={routeHash({ page: "recovery", runId })}>
            {t("recovery.entry")}
          </a>
        </Fact>
      </Facts>
      {detail.lifecycle === "ARCHIVED" && <p className={page.lead}>{t("unknown.detail.archived")}</p>}
    </div>
  );
}

function Host({ detail: { invocation, thisHost } }: { readonly detail: UnknownDetail }) {
  const { t } = useTranslation();
  if (invocation === null) return <Absent />;
  const here = invocation.host === thisHost;
  return (
    <>
      <ForeignText text={invocation.host} />{" "}
      <span className={page.quiet}>({t(here ? "unknown.detail.thisHost" : "unknown.detail.otherHost")})</span>
    </>
  );
}
