import { Button } from "@fluentui/react-components";
import { useTranslation } from "react-i18next";
import type { Intent, Operation } from "../../shared/api/index.ts";
import { type NextAction, nextActionOf } from "../../shared/domain/next-action.ts";
import { goTo } from "../app/use-route.ts";
import { useStores } from "../state/context.tsx";
import styles from "./action.module.css";
import { kindOf, RUN_KINDS, runIntent } from "./names.ts";

/** What is recommended after it, who does it, and its button (orchestration §11.4). */
export function NextStep({ operation }: { readonly operation: Operation }) {
  const { t } = useTranslation();
  const { action } = useStores();
  const next = afterOperation(operation);
  if (next === null) return null;
  const kind = next.operation === null ? null : kindOf(next.operation);
  const runKind = RUN_KINDS.find((each) => each === kind);
  const { runId, businessKey, networkId } = operation;
  // The steps of the recovery name every node that is to be decided, and what comes after it.
  const toRecovery = (id: string): void => {
    action.close();
    goTo({ page: "recovery", runId: id });
  };
  const audit = kind === "completeAudit" ? missingAudit(operation) : null;
  const text = next.code === null ? t("nextUnknown.next") : t(`next.${next.code}.next`);
  return (
    <section className={styles.next} aria-label={t("action.outcome.next")}>
      <h3 className={styles.heading}>{t("action.outcome.next")}</h3>
      <p className={styles.line}>
        {text} {next.who !== "none" && t("attention.responderLine", { who: t(`who.${next.who}`) })}
      </p>
      {next.operation === "RESOLVE_NODE" && runId !== null && (
        <div>
          <Button appearance="primary" onClick={() => toRecovery(runId)}>
            {t("unknown.next.unknown")}
          </Button>
        </div>
      )}
      {audit !== null && (
        <div>
          <Button
            appearance="primary"
            onClick={() => void action.open(audit, { subject: { businessKey, networkId, runId } })}
          >
            {t("action.kind.completeAudit.verb")}
          </Button>
        </div>
      )}
      {runKind !== undefined && runId !== null && (
        <div>
          <Button
            appearance="primary"
            onClick={() =>
              void action.open(runIntent(runKind, runId), { subject: { businessKey, networkId, runId } })
            }
          >
            {t(`action.kind.${runKind}.verb`)}
          </Button>
        </div>
      )}
    </section>
  );
}

/** The form for the audit that a close left out, under the event id it reported (orchestration §4.8). */
function missingAudit({ runId, detail, endedAt, aggregateStatus }: Operation): Intent | null {
  const { eventId, revision } = detail;
  if (runId === null || typeof eventId !== "string") return null;
  return {
    kind: "completeAudit",
    runId,
    reason: "",
    eventId,
    archivedAt: endedAt ?? "",
    previousStatus: aggregateStatus === "CANCELLED" ? "CANCELLED" : "FAILED",
    runRevisionBefore: typeof revision === "number" ? Math.max(1, revision - 1) : 1,
  };
}

/** The next action after an operation: by its result code, or, for one that has none, by what it did. */
function afterOperation({ kind, resultCode }: Operation): NextAction | null {
  if (resultCode !== null) {
    const next = nextActionOf(resultCode);
    if (next.code !== null) return next;
  }
  switch (kind) {
    case "stop":
      return nextActionOf("STOP_REQUESTED");
    case "release":
      return nextActionOf("NODES_DEFERRED");
    case "resolve":
    case "realign":
      return nextActionOf("NETWORK_LEASE_INTERRUPTED");
    case "close":
      return nextActionOf("OK");
    default:
      return null;
  }
}
