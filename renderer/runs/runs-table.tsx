import { type KeyboardEvent, memo } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import type { RunRow } from "../../shared/api/index.ts";
import { routeHash } from "../app/routes.ts";
import { ActivityBadge, RunStatusBadge } from "../components/status.tsx";
import { type Column, Table } from "../components/table.tsx";
import { ForeignText, MinuteTime, useSecondText } from "../components/text.tsx";
import { useStores } from "../state/context.tsx";
import { rowToFocus } from "./row-focus.ts";
import styles from "./runs.module.css";

/** The rows in their fixed order; each listens to its own Run alone, so a change redraws one row. */
export function RunsTable() {
  const { t } = useTranslation();
  const { runs } = useStores();
  const order = useStore(runs.store, (state) => state.list.order);
  const columns: readonly Column[] = [
    { key: "businessKey", label: t("runs.column.businessKey") },
    { key: "network", label: t("runs.column.network") },
    { key: "status", label: t("runs.column.status") },
    { key: "activity", label: t("runs.column.activity") },
    { key: "startedAt", label: t("runs.column.startedAt"), minute: true },
    { key: "updatedAt", label: t("runs.column.updatedAt"), minute: true },
  ];
  return (
    <Table caption={t("runs.caption")} columns={columns}>
      {order.map((runId) => (
        <Row key={runId} runId={runId} />
      ))}
    </Table>
  );
}

/** Arrow, page, Home and End keys move between the rows; Enter is the link's own. */
function onRowKey(event: KeyboardEvent<HTMLAnchorElement>): void {
  if (event.nativeEvent.isComposing) return;
  const body = event.currentTarget.closest("tbody");
  const links = [...(body?.querySelectorAll<HTMLAnchorElement>("a[data-row]") ?? [])];
  const next = rowToFocus(event.key, links.indexOf(event.currentTarget), links.length);
  if (next === null) return;
  event.preventDefault();
  links[next]?.focus();
}

const Row = memo(function Row({ runId }: { readonly runId: string }) {
  const { t } = useTranslation();
  const run = useStore(useStores().runs.store, (state) => state.list.rows[runId]);
  if (run === undefined) return null;
  const open = { page: "run", runId } as const;
  return (
    <tr className={styles.row} data-run={runId}>
      <td>
        <a className={styles.key} href={routeHash(open)} data-row onKeyDown={onRowKey}>
          <ForeignText text={run.businessKey} />
        </a>
        {run.lifecycle === "ARCHIVED" && <span className={styles.tag}>{t("status.archived")}</span>}
      </td>
      <td>
        <span className={styles.network}>
          <ForeignText text={run.networkId} />
        </span>
      </td>
      <td>
        <RunStatusBadge status={run.status} />
      </td>
      <td>
        <ActivityCell run={run} />
      </td>
      <td>
        <MinuteTime at={run.startedAt} />
      </td>
      <td>
        <MinuteTime at={run.updatedAt} />
      </td>
    </tr>
  );
});

/** What the Run is doing, with when that was judged; apart from its stored status (operator-ux §1.1). */
function ActivityCell({ run }: { readonly run: RunRow }) {
  const { t } = useTranslation();
  const secondText = useSecondText();
  if (run.activityJudgedAt === null) return <span className={styles.judged}>{t("activity.unjudged")}</span>;
  if (run.activity === null) return <span className={styles.judged}>{t("activity.none")}</span>;
  return (
    <span className={styles.activity} title={t(`activity.line.${run.activity}`)}>
      <ActivityBadge activity={run.activity} />
      <span className={styles.judged}>
        {t("activity.judgedAt", { time: secondText(run.activityJudgedAt) })}
      </span>
    </span>
  );
}
