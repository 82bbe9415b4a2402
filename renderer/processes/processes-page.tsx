import { Spinner } from "@fluentui/react-components";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { type ProcessesPicture, processId, type StopProgress } from "../../shared/api/index.ts";
import { goTo } from "../app/use-route.ts";
import page from "../components/page.module.css";
import { Split } from "../components/split.tsx";
import { type Column, cell, Table } from "../components/table.tsx";
import { ForeignText, useSecondText } from "../components/text.tsx";
import { useStores } from "../state/context.tsx";
import { Holders } from "./holders.tsx";
import { ProcessPanel } from "./process-detail.tsx";
import styles from "./processes.module.css";
import { ProcessesTable } from "./processes-table.tsx";
import { StopDialog } from "./stop-dialog.tsx";
import { StopFactsList } from "./stop-facts.tsx";

/** 子プロセス: what this host started and what lives of it, and on the right, once opened, one tree. */
export function ProcessesPage({ openId }: { readonly openId: string | undefined }) {
  const { t } = useTranslation();
  const { processes } = useStores();
  const picture = useStore(processes.store, (state) => state.picture);
  const secondText = useSecondText();
  useEffect(() => {
    processes.enter();
    return () => processes.leave();
  }, [processes]);
  return (
    <div className={page.page}>
      <div className={page.head}>
        <h1 className={page.title}>{t("processes.title")}</h1>
        {picture && (
          <span className={page.quiet}>
            <ForeignText
              text={t("processes.lookedAt", { host: picture.host, time: secondText(picture.lookedAt) })}
            />
          </span>
        )}
      </div>
      <p className={page.lead}>{t("processes.lead")}</p>
      {picture === null ? (
        <Spinner size="tiny" label={t("processes.loading")} labelPosition="after" />
      ) : (
        <Shown picture={picture} openId={openId} />
      )}
      <StopDialog />
    </div>
  );
}

interface ShownProps {
  readonly picture: ProcessesPicture;
  readonly openId: string | undefined;
}

function Shown({ picture, openId }: ShownProps) {
  const { t } = useTranslation();
  const { trees, stops, holders } = picture;
  const open = trees.find(({ id }) => id === openId) ?? null;
  return (
    <>
      <Split
        id="processes"
        detail={open === null ? null : <ProcessPanel tree={open} stop={stopOf(stops, open.id)} />}
        detailKey={open?.id ?? null}
        detailLabel={t("processes.detail.label")}
        onClose={() => goTo({ page: "processes" })}
      >
        {trees.length > 0 ? <ProcessesTable trees={trees} openId={open?.id} /> : <NoProcesses />}
      </Split>
      {stops.length > 0 && <History stops={stops} />}
      <Holders holders={holders} />
    </>
  );
}

const stopOf = (stops: readonly StopProgress[], id: string): StopProgress | null =>
  stops.find((stop) => processId(stop.pid, stop.processStart) === id) ?? null;

function NoProcesses() {
  const { t } = useTranslation();
  return (
    <div className={page.empty}>
      <p>{t("processes.empty")}</p>
      <p>{t("processes.emptyNext")}</p>
    </div>
  );
}

/** What was stopped here, also after it is gone: its three facts stay to be read. */
function History({ stops }: { readonly stops: readonly StopProgress[] }) {
  const { t } = useTranslation();
  const secondText = useSecondText();
  const columns: readonly Column[] = [
    { key: "target", label: t("processes.stop.target") },
    { key: "when", label: t("processes.stop.when") },
    { key: "facts", label: t("processes.stop.follow") },
  ];
  return (
    <section className={page.section} aria-labelledby="stops">
      <h2 className={page.heading} id="stops">
        {t("processes.stop.history")}
      </h2>
      <Table caption={t("processes.stop.historyCaption")} columns={columns}>
        {stops.map((stop) => (
          <tr key={stop.operationId}>
            <td className={cell.name}>
              {t("processes.pid", { pid: stop.pid })}
              {stop.attempt !== null && (
                <span className={cell.sub}>
                  <ForeignText
                    text={`${stop.attempt.businessKey ?? stop.attempt.runId} › ${stop.attempt.nodeId}`}
                    id
                  />
                </span>
              )}
            </td>
            <td className={cell.name}>
              {secondText(stop.requestedAt)}
              <span className={cell.sub}>
                <ForeignText text={stop.requestedBy} />
              </span>
            </td>
            <td className={styles.course}>
              <StopFactsList stop={stop} />
            </td>
          </tr>
        ))}
      </Table>
    </section>
  );
}
