import { useTranslation } from "react-i18next";
import type { InvocationFacts } from "../../shared/api/index.ts";
import page from "../components/page.module.css";
import { OutcomeBadge } from "../components/status.tsx";
import { type Column, cell, Table } from "../components/table.tsx";
import { CopyId, ForeignText, MinuteTime } from "../components/text.tsx";

/** Who and what moved the Run forward, start by start. */
export function InvocationsTable({ invocations }: { readonly invocations: readonly InvocationFacts[] }) {
  const { t } = useTranslation();
  const columns: readonly Column[] = [
    { key: "mode", label: t("run.invocations.mode") },
    { key: "status", label: t("run.invocations.status") },
    { key: "code", label: t("run.invocations.code") },
    { key: "who", label: t("run.invocations.who") },
    { key: "host", label: t("run.invocations.host") },
    { key: "nodes", label: t("run.invocations.nodes"), align: "right" },
    { key: "startedAt", label: t("run.invocations.startedAt"), minute: true },
    { key: "finishedAt", label: t("run.invocations.finishedAt"), minute: true },
    { key: "id", label: t("run.invocations.id") },
  ];
  return (
    <section className={page.section} aria-labelledby="invocations">
      <h2 className={page.heading} id="invocations">
        {t("run.invocations.title")}
      </h2>
      {invocations.length === 0 ? (
        <div className={page.empty}>
          <p>{t("run.invocations.empty")}</p>
        </div>
      ) : (
        <Table caption={t("run.invocations.caption")} columns={columns}>
          {invocations.map((invocation) => (
            <InvocationLine key={invocation.invocationId} invocation={invocation} />
          ))}
        </Table>
      )}
    </section>
  );
}

function InvocationLine({ invocation }: { readonly invocation: InvocationFacts }) {
  const { t } = useTranslation();
  const { selectedNodeIds, preservedNodeIds, blockedNodeIds } = invocation;
  return (
    <tr>
      <td>{t(`run.mode.${invocation.mode}`)}</td>
      <td>
        <OutcomeBadge status={invocation.status} />
      </td>
      <td className={cell.mono}>
        <ForeignText text={invocation.resultCode} />
      </td>
      <td>
        <ForeignText text={invocation.requestedBy} />
      </td>
      <td>
        <ForeignText text={invocation.host} />
      </td>
      <td className={cell.number}>
        {selectedNodeIds.length} / {preservedNodeIds.length} / {blockedNodeIds.length}
      </td>
      <td>
        <MinuteTime at={invocation.startedAt} />
      </td>
      <td>
        <MinuteTime at={invocation.finishedAt} />
      </td>
      <td>
        <CopyId
          id={invocation.invocationId}
          short={`…${invocation.invocationId.slice(-8)}`}
          what={t("run.invocations.id")}
        />
      </td>
    </tr>
  );
}
