import { createContext, useContext, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import type { AuditEntry, AuditFilter } from "../../shared/api/index.ts";
import { routeHash } from "../app/routes.ts";
import face from "../components/face.module.css";
import link from "../components/link.module.css";
import page from "../components/page.module.css";
import { Absent, ForeignText, MinuteTime } from "../components/text.tsx";
import { type RowProps, type VirtualColumn, VirtualTable } from "../components/virtual-table.tsx";
import { useStores } from "../state/context.tsx";
import { kindName } from "./kind-name.ts";

interface AuditRows {
  readonly filter: AuditFilter;
  readonly byKey: ReadonlyMap<string, AuditEntry>;
  readonly open: string | null;
}
const Rows = createContext<AuditRows>({ filter: {}, byKey: new Map(), open: null });

/** The entries as read; each opens its record. */
export function AuditTable({ filter }: { readonly filter: AuditFilter }) {
  const { t } = useTranslation();
  const { audit } = useStores();
  const entries = useStore(audit.store, (state) => state.entries);
  const open = useStore(audit.store, (state) => state.key);
  const rows = useMemo<AuditRows>(
    () => ({ filter, open, byKey: new Map(entries.map((entry) => [entry.key, entry])) }),
    [filter, entries, open],
  );
  const keys = useMemo(() => entries.map((entry) => entry.key), [entries]);
  const columns: readonly VirtualColumn[] = [
    { key: "kind", label: t("audit.column.kind"), width: "190px" },
    { key: "subject", label: t("audit.column.subject") },
    { key: "who", label: t("audit.column.who"), width: "18%" },
    { key: "result", label: t("audit.column.result"), width: "18%" },
    { key: "at", label: t("audit.column.at"), width: "170px" },
    { key: "record", label: t("audit.column.record"), width: "110px", align: "right" },
  ];
  return (
    <Rows.Provider value={rows}>
      <VirtualTable
        caption={t("audit.caption")}
        columns={columns}
        keys={keys}
        open={open}
        Cells={AuditCells}
        layoutId="audit"
        rowAttribute="data-audit"
        question={JSON.stringify(filter)}
      />
    </Rows.Provider>
  );
}

function AuditCells({ rowKey, target }: RowProps) {
  const { t } = useTranslation();
  const { filter, byKey, open } = useContext(Rows);
  const entry = byKey.get(rowKey);
  if (entry === undefined) return null;
  const { source, order, revision, result } = entry;
  return (
    <>
      <td>
        <a
          className={`${link.open} ${link.whole}`}
          href={routeHash({ page: "audit", filter, entry: rowKey })}
          {...target}
          aria-current={open === rowKey ? "true" : undefined}
        >
          {kindName(entry, t)}
        </a>
      </td>
      <td>
        <Subject entry={entry} />
      </td>
      <td>
        <Who entry={entry} />
      </td>
      <td className={face.mono}>{result === null ? <Absent /> : <ForeignText text={result} />}</td>
      <td>
        <MinuteTime at={entry.at} />
      </td>
      <td className={face.figure}>
        {t(`audit.place.${source}`, { order })}
        {revision !== null && <span className={page.quiet}> r{revision}</span>}
      </td>
    </>
  );
}

/** What it was done to: a node, a Run, a network, an account, as far as the record tells. */
export function Subject({ entry }: { readonly entry: AuditEntry }) {
  const name = entry.businessKey ?? entry.networkId ?? entry.runId ?? entry.account;
  if (name === null) return <Absent />;
  return <ForeignText text={entry.nodeId === null ? name : `${name} › ${entry.nodeId}`} id />;
}

function Who({ entry }: { readonly entry: AuditEntry }) {
  const { t } = useTranslation();
  const { who, confirmedBy, approvedBy, principal } = entry;
  const others = [approvedBy, confirmedBy].filter((each) => each !== null && each !== who);
  const first = who ?? principal;
  if (first === null) return <Absent />;
  return (
    <>
      <ForeignText text={first} />
      {who === null && <span className={page.quiet}> {t("audit.program")}</span>}
      {others.length > 0 && (
        <span className={page.quiet}>
          {" + "}
          <ForeignText text={others.join(", ")} />
        </span>
      )}
    </>
  );
}
