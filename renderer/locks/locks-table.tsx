import { memo } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import type { LockRow } from "../../shared/api/index.ts";
import { routeHash } from "../app/routes.ts";
import { RowLink } from "../components/row-link.tsx";
import { type Column, cell, openedRow, Table } from "../components/table.tsx";
import { Absent, ForeignText, MinuteTime } from "../components/text.tsx";
import { useStores } from "../state/context.tsx";
import { RunLink } from "./lock-detail.tsx";
import { LeaseLeft, LockState } from "./lock-state.tsx";

/** Columns that are there whatever is open: the network, its state, its lease. */
const ALWAYS = 3;

/** Every known network with its lock; a held one opens its holder. */
export function LocksTable({ locks }: { readonly locks: readonly LockRow[] }) {
  const { t } = useTranslation();
  const narrow = useStore(useStores().locks.store, (state) => state.recordId !== null);
  const all: readonly Column[] = [
    { key: "network", label: t("locks.column.network") },
    { key: "state", label: t("locks.column.state") },
    { key: "leaseEnd", label: t("locks.column.leaseEnd"), minute: true },
    { key: "run", label: t("locks.column.run") },
    { key: "owner", label: t("locks.column.owner") },
    { key: "heartbeat", label: t("locks.column.heartbeat"), minute: true },
  ];
  // Beside an open holder there is no room for what its panel tells.
  const columns = narrow ? all.slice(0, ALWAYS) : all;
  return (
    <Table caption={t("locks.caption")} columns={columns}>
      {locks.map((lock) => (
        <Row key={lock.holder?.recordId ?? `${lock.profile} ${lock.networkId}`} lock={lock} narrow={narrow} />
      ))}
    </Table>
  );
}

const Row = memo(function Row({ lock, narrow }: { readonly lock: LockRow; readonly narrow: boolean }) {
  const { t } = useTranslation();
  const opened = useStore(useStores().locks.store, (state) => state.recordId);
  const { holder } = lock;
  const name = <ForeignText text={lock.networkId ?? t("locks.unknownNetwork")} id />;
  const shown = holder !== null && holder.recordId === opened;
  return (
    <tr data-lock={lock.networkId ?? ""} className={shown ? openedRow : undefined}>
      <td className={cell.name}>
        {holder === null ? (
          <span>{name}</span>
        ) : (
          <RowLink href={routeHash({ page: "locks", recordId: holder.recordId })} shown={shown}>
            {name}
          </RowLink>
        )}
      </td>
      <td>
        <LockState holder={holder} />
      </td>
      <td>
        <MinuteTime at={holder?.leaseExpiresAt ?? null} />
        {holder !== null && (
          <span className={cell.sub}>
            <LeaseLeft leaseExpiresAt={holder.leaseExpiresAt} />
          </span>
        )}
      </td>
      {!narrow && <HolderCells lock={lock} />}
    </tr>
  );
});

function HolderCells({ lock }: { readonly lock: LockRow }) {
  const { holder } = lock;
  return (
    <>
      <td className={cell.name}>{holder === null ? <Absent /> : <RunLink holder={holder} />}</td>
      <td>
        <Owner lock={lock} />
      </td>
      <td>
        <MinuteTime at={holder?.heartbeatAt ?? null} />
      </td>
    </>
  );
}

function Owner({ lock: { holder } }: { readonly lock: LockRow }) {
  const { t } = useTranslation();
  if (holder === null) return <Absent />;
  if (holder.host === null) return <ForeignText text={holder.ownerInstanceId ?? t("locks.unknownOwner")} />;
  return (
    <>
      <ForeignText text={holder.host} />
      {holder.pid !== null && <span className={cell.sub}>{t("locks.pid", { pid: holder.pid })}</span>}
    </>
  );
}
