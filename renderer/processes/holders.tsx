import { useTranslation } from "react-i18next";
import type { LockHolderProcess } from "../../shared/api/index.ts";
import { routeHash } from "../app/routes.ts";
import link from "../components/link.module.css";
import page from "../components/page.module.css";
import { type Column, cell, Table } from "../components/table.tsx";
import { ForeignText } from "../components/text.tsx";
import { CommandLine, Started } from "./process-cells.tsx";

/** Whoever holds a lock, to be looked at only: none of them is ended from this page (operator-ux §1.1, process view). */
export function Holders({ holders }: { readonly holders: readonly LockHolderProcess[] }) {
  const { t } = useTranslation();
  const columns: readonly Column[] = [
    { key: "network", label: t("processes.holders.network") },
    { key: "process", label: t("processes.holders.process") },
    { key: "started", label: t("processes.column.started") },
    { key: "command", label: t("processes.holders.command") },
  ];
  return (
    <section className={page.section} aria-labelledby="holders">
      <h2 className={page.heading} id="holders">
        {t("processes.holders.title")}
      </h2>
      <p className={page.quiet}>
        {t(holders.length === 0 ? "processes.holders.empty" : "processes.holders.lead")}
      </p>
      {holders.length > 0 && (
        <Table caption={t("processes.holders.caption")} columns={columns}>
          {holders.map((holder) => (
            <Row key={holder.recordId} holder={holder} />
          ))}
        </Table>
      )}
    </section>
  );
}

function Row({ holder }: { readonly holder: LockHolderProcess }) {
  const { t } = useTranslation();
  const { recordId, networkId, facts, pid } = holder;
  return (
    <tr data-holder={pid ?? ""}>
      <td className={cell.name}>
        <a className={link.link} href={routeHash({ page: "locks", recordId })}>
          <ForeignText text={networkId ?? t("locks.unknownNetwork")} id />
        </a>
      </td>
      <td className={cell.name}>
        {pid !== null && t("processes.pid", { pid })}
        {holder.self && <span className={cell.sub}>{t("processes.holders.self")}</span>}
      </td>
      {facts === null ? (
        <td colSpan={2} className={page.quiet}>
          <Unseen holder={holder} />
        </td>
      ) : (
        <>
          <td>
            <Started at={facts.processStart} />
          </td>
          <td className={cell.text}>
            <CommandLine facts={facts} />
          </td>
        </>
      )}
    </tr>
  );
}

function Unseen({ holder: { pid, host, thisHost } }: { readonly holder: LockHolderProcess }) {
  const { t } = useTranslation();
  if (pid === null) return t("processes.holders.unknown");
  return thisHost ? t("processes.holders.gone") : t("processes.holders.elsewhere", { host: host ?? "" });
}
