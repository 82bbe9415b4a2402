import { Button } from "@fluentui/react-components";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import type { OutcomeChoice, UnknownDetail } from "../../shared/api/index.ts";
import page from "../components/page.module.css";
import { OutcomeBadge } from "../components/status.tsx";
import { cell, Table } from "../components/table.tsx";
import { useGate, useStores } from "../state/context.tsx";
import { useOpenResolve } from "./open-resolve.ts";
import styles from "./unknown.module.css";

/** Which outcomes may be chosen, how each stands beside the evidence, and what follows; none of it can be taken back. */
export function Outcomes({ detail }: { readonly detail: UnknownDetail }) {
  const { t } = useTranslation();
  const columns = (["outcome", "stance", "then", "choose"] as const).map((key) => ({
    key,
    label: t(`unknown.outcome.column.${key}`),
  }));
  return (
    <section className={page.section} aria-labelledby="outcomes">
      <div className={page.head}>
        <h2 className={page.heading} id="outcomes">
          {t("unknown.outcome.title")}
        </h2>
        <strong className={styles.final}>{t("unknown.outcome.final")}</strong>
      </div>
      <Table caption={t("unknown.outcome.caption")} columns={columns}>
        {detail.outcomes.map((choice) => (
          <Row key={choice.outcome} choice={choice} detail={detail} />
        ))}
      </Table>
    </section>
  );
}

interface RowProps {
  readonly choice: OutcomeChoice;
  readonly detail: UnknownDetail;
}

function Row({ choice, detail }: RowProps) {
  const { t } = useTranslation();
  const open = useOpenResolve(detail);
  const gate = useGate();
  const { action } = useStores();
  const chosen = useStore(action.store, ({ draft }) =>
    draft?.intent.kind === "resolve" ? draft.intent.outcome : null,
  );
  const { outcome, problem, stance } = choice;
  const closed = problem !== null || gate !== null;
  return (
    <tr data-outcome={outcome} data-stance={stance} data-allowed={problem === null}>
      <td className={cell.name}>
        <OutcomeBadge status={outcome} />
      </td>
      <td>{t(`unknown.outcome.stance.${stance}`)}</td>
      <td>
        <ul className={styles.then}>
          {thenOf(choice).map((name) => (
            <li key={name}>
              {name === "runStatus"
                ? t("unknown.outcome.then.runStatus", { status: t(`status.run.${choice.runStatusAfter}`) })
                : t(`unknown.outcome.then.${name}`)}
            </li>
          ))}
        </ul>
      </td>
      <td>
        <Button
          size="small"
          disabledFocusable={closed}
          aria-pressed={chosen === outcome}
          onClick={() => void open(outcome)}
        >
          {t("unknown.outcome.choose", { outcome: t(`status.outcome.${outcome}`) })}
        </Button>
        {problem !== null && (
          <span className={styles.under}>
            {t("unknown.outcome.blocked")} ({problem.code})
          </span>
        )}
        {problem === null && gate !== null && (
          <span className={styles.under}>{t(`action.missing.${gate}`)}</span>
        )}
      </td>
    </tr>
  );
}

type Then = "completion" | "approver" | "downstream" | "retried" | "peer" | "closeOnly" | "runStatus";

/** What choosing brings, in the order it happens. */
function thenOf(choice: OutcomeChoice): readonly Then[] {
  return [
    ...(choice.needsCompletion ? (["completion"] as const) : []),
    ...(choice.needsApprover ? (["approver"] as const) : []),
    "runStatus",
    ...(choice.outcome === "SUCCESS" ? (["downstream"] as const) : []),
    ...(choice.retriedByResume ? (["retried"] as const) : []),
    ...(choice.peerResumesOnceMore ? (["peer"] as const) : []),
    ...(choice.onlyCloseRemains ? (["closeOnly"] as const) : []),
  ];
}
