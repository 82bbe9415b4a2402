import { memo } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import type { RequestListRow, RequestView } from "../../shared/api/index.ts";
import { routeHash } from "../app/routes.ts";
import page from "../components/page.module.css";
import { RowLink } from "../components/row-link.tsx";
import { type Column, cell, openedRow, Table } from "../components/table.tsx";
import { Absent, ForeignText, MinuteTime } from "../components/text.tsx";
import { GuidanceLink } from "../guidance/guidance-link.tsx";
import { useNow, useStores } from "../state/context.tsx";
import { minutesAgo } from "./minutes-ago.ts";
import { RequestState, targetName } from "./request-state.tsx";
import styles from "./requests.module.css";

/** Columns that are there whatever is open: number, type, target, state. */
const ALWAYS = 4;

/** The queue, newest first; a row opens its request. */
export function RequestsTable({ rows }: { readonly rows: readonly RequestListRow[] }) {
  const { t } = useTranslation();
  const narrow = useStore(useStores().requests.store, (state) => state.requestId !== null);
  const all: readonly Column[] = [
    { key: "id", label: t("requests.column.id") },
    { key: "type", label: t("requests.column.type") },
    { key: "target", label: t("requests.column.target") },
    { key: "state", label: t("requests.column.state") },
    { key: "creator", label: t("requests.column.creator") },
    { key: "created", label: t("requests.column.created"), minute: true },
    { key: "claim", label: t("requests.column.claim") },
    { key: "result", label: t("requests.column.result") },
  ];
  const columns = narrow ? all.slice(0, ALWAYS) : all;
  return (
    <Table caption={t("requests.caption")} columns={columns}>
      {rows.map((row, at) => (
        <Row key={keyOf(row) ?? `unidentified ${at}`} row={row} narrow={narrow} />
      ))}
    </Table>
  );
}

const keyOf = (row: RequestListRow): string | null => (row.readable ? row.request.id : row.record.id);

interface RowProps {
  readonly row: RequestListRow;
  readonly narrow: boolean;
}

const Row = memo(function Row({ row, narrow }: RowProps) {
  const opened = useStore(useStores().requests.store, (state) => state.requestId);
  const id = keyOf(row);
  const shown = id !== null && id === opened;
  return (
    <tr data-request={id ?? ""} className={shown ? openedRow : undefined}>
      <td className={cell.name}>
        <RequestNumber id={id} shown={shown} />
      </td>
      {row.readable ? <Known request={row.request} row={row} /> : <Unreadable row={row} />}
      {!narrow && (row.readable ? <Rest request={row.request} /> : <Nothing />)}
    </tr>
  );
});

function RequestNumber({ id, shown }: { readonly id: string | null; readonly shown: boolean }) {
  const { view } = useStore(useStores().requests.store);
  if (id === null) return <Absent />;
  return (
    <RowLink href={routeHash({ page: "requests", view, requestId: id })} shown={shown}>
      {id}
    </RowLink>
  );
}

function Known({ request, row }: { readonly request: RequestView; readonly row: RequestListRow }) {
  const { t } = useTranslation();
  const { type, duplicates, networkId, runId, businessKey } = request;
  return (
    <>
      <td className={cell.name}>{t(`requests.type.${type}`)}</td>
      <td className={cell.text}>
        <ForeignText text={targetName(request)} id />
        {networkId !== null && (businessKey !== null || runId !== null) && (
          <span className={cell.sub}>
            <ForeignText text={networkId} id />
          </span>
        )}
      </td>
      <td>
        <RequestState row={row} />
        {duplicates.length > 0 && (
          <span className={styles.warn}>{t("requests.badge.duplicate", { ids: duplicates.join(", ") })}</span>
        )}
      </td>
    </>
  );
}

function Unreadable({ row }: { readonly row: Extract<RequestListRow, { readable: false }> }) {
  return (
    <>
      <td>
        <Absent />
      </td>
      <td className={cell.mono}>
        {row.record.revision === null ? <Absent /> : `revision ${row.record.revision}`}
      </td>
      <td>
        <RequestState row={row} />
        <span className={cell.sub}>
          {row.record.issues.map(({ code, field }) => (
            <span key={`${code} ${field}`} className={styles.issue}>
              <ForeignText text={`${field} ${code}`} />
            </span>
          ))}
        </span>
      </td>
    </>
  );
}

function Rest({ request }: { readonly request: RequestView }) {
  const { t } = useTranslation();
  const { creatorCode, createdAt, claim, resultCode } = request;
  return (
    <>
      <td className={cell.name}>
        <ForeignText text={creatorCode} id />
      </td>
      <td>
        <MinuteTime at={createdAt} />
      </td>
      <td className={cell.name}>
        {claim === null ? (
          <NoClaim ended={resultCode !== null} />
        ) : (
          <>
            <ForeignText text={claim.host} />
            {claim.thisHost && <span className={page.quiet}> ({t("requests.thisHost")})</span>}
            {request.state === "ACCEPTED" && <Heartbeat at={claim.heartbeatAt} />}
          </>
        )}
      </td>
      <td className={`${cell.mono} ${cell.name}`}>
        {resultCode === null ? <Absent /> : <GuidanceLink code={resultCode} />}
      </td>
    </>
  );
}

/** Waiting for its claim, or ended without one. */
function NoClaim({ ended }: { readonly ended: boolean }) {
  const { t } = useTranslation();
  return ended ? <Absent /> : <span className={page.quiet}>{t("requests.noClaim")}</span>;
}

/** How long ago the claim last showed life. */
function Heartbeat({ at }: { readonly at: string }) {
  const { t } = useTranslation();
  const ago = minutesAgo(at, useNow(), t);
  return <span className={cell.sub}>{t("requests.heartbeatAgo", { ago })}</span>;
}

function Nothing() {
  return (
    <>
      <td>
        <Absent />
      </td>
      <td>
        <Absent />
      </td>
      <td>
        <Absent />
      </td>
      <td>
        <Absent />
      </td>
    </>
  );
}
