import { useTranslation } from "react-i18next";
import type { Doubt } from "../../shared/api/index.ts";
import { routeHash } from "../app/routes.ts";
import { RowLink } from "../components/row-link.tsx";
import { NodeStatusBadge } from "../components/status.tsx";
import { type Column, cell, Table } from "../components/table.tsx";
import { Absent, ForeignText, MinuteTime } from "../components/text.tsx";

/** One row a node; its name opens the evidence. */
export function DoubtsTable({ doubts }: { readonly doubts: readonly Doubt[] }) {
  const { t } = useTranslation();
  const columns: readonly Column[] = [
    { key: "kind", label: t("unknown.column.kind") },
    { key: "subject", label: t("unknown.column.subject") },
    { key: "attempt", label: t("unknown.column.attempt") },
    { key: "sqlStart", label: t("unknown.column.sqlStart"), minute: true },
    { key: "since", label: t("unknown.column.since"), minute: true },
    { key: "next", label: t("unknown.column.next") },
  ];
  return (
    <Table caption={t("unknown.caption")} columns={columns}>
      {doubts.map((doubt) => (
        <Row key={`${doubt.runId} ${doubt.nodeId}`} doubt={doubt} />
      ))}
    </Table>
  );
}

function Row({ doubt }: { readonly doubt: Doubt }) {
  const { t } = useTranslation();
  const { kind, runId, nodeId, businessKey, attemptNo, code, sqlStartedAt, since } = doubt;
  return (
    <tr data-doubt={kind} data-node={nodeId}>
      <td className={cell.name}>
        {kind === "unknown" ? <NodeStatusBadge status="UNKNOWN" /> : <span>{t(`unknown.kind.${kind}`)}</span>}
      </td>
      <td className={cell.text}>
        <RowLink href={routeHash({ page: "unknowns", node: { runId, nodeId } })}>
          <ForeignText text={`${businessKey} › ${nodeId}`} id />
        </RowLink>
        <span className={cell.sub}>
          <ForeignText text={doubt.networkId} id />
        </span>
      </td>
      <td className={cell.name}>
        {attemptNo > 0 ? t("unknown.detail.attemptNo", { no: attemptNo }) : <Absent />}
        {code !== null && (
          <span className={cell.sub}>
            <ForeignText text={code} />
          </span>
        )}
      </td>
      <td>
        <MinuteTime at={sqlStartedAt} />
      </td>
      <td>
        <MinuteTime at={since} />
      </td>
      <td>{t(`unknown.next.${kind}`)}</td>
    </tr>
  );
}
