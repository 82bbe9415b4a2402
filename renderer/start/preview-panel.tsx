import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import type { PlanNode, StartPreview } from "../../shared/api/index.ts";
import { routeHash } from "../app/routes.ts";
import page from "../components/page.module.css";
import { ProblemPanel } from "../components/problem.tsx";
import { RunStatusBadge } from "../components/status.tsx";
import { type Column, cell, Table } from "../components/table.tsx";
import { Absent, ForeignText, useSecondText } from "../components/text.tsx";
import { useStores } from "../state/context.tsx";
import styles from "./start.module.css";

/** What a start would do, computed in main from the definition and the store as they are now (operator-ux §1.2). */
export function PreviewPanel() {
  const { t } = useTranslation();
  const { start } = useStores();
  const secondText = useSecondText();
  const { preview, previewing, previewProblem } = useStore(start.store);
  const ownProblems = preview?.problems.filter((each) => each.field === null) ?? [];
  return (
    <section
      className={styles.preview}
      aria-labelledby="preview"
      aria-busy={previewing}
      data-busy={previewing && preview !== null}
    >
      <div className={styles.previewHead}>
        <h2 className={page.heading} id="preview">
          {t("start.preview.title")}
        </h2>
        {preview && (
          <span className={page.quiet}>
            {t("start.preview.readAt", { time: secondText(preview.readAt) })}
          </span>
        )}
      </div>
      {previewProblem && (
        <ProblemPanel
          problem={previewProblem}
          action={{ label: t("problem.retry"), run: () => void start.preview() }}
        />
      )}
      {ownProblems.map(({ problem }) => (
        <ProblemPanel key={problem.code} problem={problem} />
      ))}
      {preview && (preview.nodes.length > 0 || preview.existing) ? (
        <Preview preview={preview} />
      ) : (
        <p className={page.lead}>{t(previewing ? "start.preview.reading" : "start.preview.waiting")}</p>
      )}
    </section>
  );
}

function Preview({ preview }: { readonly preview: StartPreview }) {
  const { t } = useTranslation();
  const risky = preview.nodes.filter((node) => !node.idempotent).length;
  return (
    <>
      {preview.businessKey !== null && (
        <div>
          <span className={page.quiet}>{t("start.preview.key")}</span>
          <p className={styles.key} data-testid="preview-key">
            <ForeignText text={preview.businessKey} id />
          </p>
        </div>
      )}
      {preview.existing && <Existing existing={preview.existing} />}
      {preview.nodes.length > 0 && !preview.existing && (
        <>
          <span>{t("start.preview.nodeCount", { count: preview.nodes.length })}</span>
          {risky > 0 && <p className={styles.warn}>{t("start.preview.nonIdempotent", { count: risky })}</p>}
          <Plan nodes={preview.nodes} />
        </>
      )}
    </>
  );
}

function Existing({ existing }: { readonly existing: NonNullable<StartPreview["existing"]> }) {
  const { t } = useTranslation();
  return (
    <div className={styles.exists}>
      <p>
        <strong>{t("start.preview.exists")}</strong>
      </p>
      <RunStatusBadge status={existing.status} />
      <p>{t("start.preview.existsNext")}</p>
      <a href={routeHash({ page: "run", runId: existing.runId })}>{t("start.preview.openExisting")}</a>
    </div>
  );
}

function Plan({ nodes }: { readonly nodes: readonly PlanNode[] }) {
  const { t } = useTranslation();
  const columns: readonly Column[] = [
    { key: "order", label: t("start.preview.order"), align: "right" },
    { key: "node", label: t("start.preview.node") },
    { key: "job", label: t("start.preview.job") },
    { key: "dependsOn", label: t("start.preview.dependsOn") },
    { key: "idempotent", label: t("start.preview.idempotent") },
  ];
  return (
    <Table caption={t("start.preview.caption")} columns={columns}>
      {nodes.map((node) => (
        <tr key={node.id}>
          <td className={cell.number}>{node.order}</td>
          <td>
            <strong>
              <ForeignText text={node.id} id />
            </strong>
          </td>
          <td>
            <ForeignText text={node.jobId} id />
          </td>
          <td>
            {node.dependsOn.length === 0 ? <Absent /> : <ForeignText text={node.dependsOn.join(", ")} id />}
          </td>
          <td>{t(node.idempotent ? "run.nodes.idempotentYes" : "run.nodes.idempotentNo")}</td>
        </tr>
      ))}
    </Table>
  );
}
