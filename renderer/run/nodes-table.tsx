import { useTranslation } from "react-i18next";
import type { NodeFacts } from "../../shared/api/index.ts";
import page from "../components/page.module.css";
import { NodeStatusBadge } from "../components/status.tsx";
import { type Column, cell, Table } from "../components/table.tsx";
import { Absent, ForeignText, MinuteTime } from "../components/text.tsx";
import styles from "./run.module.css";

/** Every node: how it stands, why, and which upstream node is the cause (operator-ux §1.1). */
export function NodesTable({ nodes }: { readonly nodes: readonly NodeFacts[] }) {
  const { t } = useTranslation();
  const columns: readonly Column[] = [
    { key: "node", label: t("run.nodes.node") },
    { key: "status", label: t("run.nodes.status") },
    { key: "reason", label: t("run.nodes.reason") },
    { key: "cause", label: t("run.nodes.blockedBy") },
    { key: "attempts", label: t("run.nodes.attempts"), align: "right" },
    { key: "idempotent", label: t("run.nodes.idempotent") },
    { key: "startedAt", label: t("run.nodes.startedAt"), minute: true },
    { key: "finishedAt", label: t("run.nodes.finishedAt"), minute: true },
  ];
  return (
    <section className={page.section} aria-labelledby="nodes">
      <h2 className={page.heading} id="nodes">
        {t("run.nodes.title")}
      </h2>
      {nodes.length === 0 ? (
        <div className={page.empty}>
          <p>{t("run.nodes.empty")}</p>
        </div>
      ) : (
        <Table caption={t("run.nodes.caption")} columns={columns}>
          {nodes.map((node) => (
            <NodeLine key={node.nodeId} node={node} />
          ))}
        </Table>
      )}
    </section>
  );
}

function NodeLine({ node }: { readonly node: NodeFacts }) {
  const { t } = useTranslation();
  return (
    <tr data-node={node.nodeId} id={`node-${node.nodeId}`} tabIndex={-1}>
      <td className={cell.name}>
        <strong>
          <ForeignText text={node.nodeId} />
        </strong>
        <span className={cell.sub}>{t(`run.rule.${node.triggerRule}`)}</span>
      </td>
      <td>
        <NodeStatusBadge status={node.status} />
      </td>
      <td className={cell.name}>
        {node.statusReason === null ? <Absent /> : <ForeignText text={node.statusReason} />}
      </td>
      <td>{node.blockedBy.length === 0 ? <Absent /> : <Causes of={node.blockedBy} />}</td>
      <td className={cell.number}>{node.latestAttemptNo}</td>
      <td className={cell.name}>
        {node.idempotent ? t("run.nodes.idempotentYes") : t("run.nodes.idempotentNo")}
      </td>
      <td>
        <MinuteTime at={node.startedAt} />
      </td>
      <td>
        <MinuteTime at={node.finishedAt} />
      </td>
    </tr>
  );
}

function Causes({ of }: { readonly of: readonly string[] }) {
  return (
    <span className={styles.causes}>
      {of.map((nodeId) => (
        <button
          key={nodeId}
          type="button"
          className={styles.cause}
          onClick={() => document.getElementById(`node-${nodeId}`)?.focus()}
        >
          <ForeignText text={nodeId} />
        </button>
      ))}
    </span>
  );
}
