import { Button, Spinner } from "@fluentui/react-components";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import type { OperationState } from "../../shared/api/index.ts";
import { goTo } from "../app/use-route.ts";
import page from "../components/page.module.css";
import { ProblemPanel } from "../components/problem.tsx";
import { RunStatusBadge } from "../components/status.tsx";
import { useStores } from "../state/context.tsx";
import { markedText } from "../text/marks.ts";
import styles from "./start.module.css";

/** The life of the operation as it is, nothing ahead of it; it stays until the operator leaves (operator-ux D7, D8). */
export function StartProgress() {
  const { t } = useTranslation();
  const { start } = useStores();
  const { sent, sendProblem, form } = useStore(start.store);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const operation = sent?.operation ?? null;
  // A console that was started anew knows nothing of it: whether it ran must be looked up, not waited for.
  const lost = sendProblem?.code === "OPERATION_UNKNOWN";
  const step: OperationState | "sending" = operation?.state ?? (lost ? "uncertain" : "sending");
  const ended = step === "done" || step === "refused" || step === "uncertain";
  const runId = operation?.runId ?? null;
  return (
    <section className={styles.progress} aria-labelledby="progress" data-state={step}>
      <h2 className={page.heading} id="progress" ref={heading} tabIndex={-1}>
        {t("start.progress.title")}
        {operation?.businessKey ? `: ${markedText(operation.businessKey, true)}` : ""}
      </h2>
      <div role="status">
        {ended ? (
          <strong>{t(`start.progress.${step}`)}</strong>
        ) : (
          <Spinner size="tiny" labelPosition="after" label={t(`start.progress.${step}`)} />
        )}
      </div>
      {operation?.aggregateStatus && <RunStatusBadge status={operation.aggregateStatus} withCode />}
      {operation?.problem && <ProblemPanel problem={operation.problem} />}
      {sendProblem && <ProblemPanel problem={sendProblem} />}
      <div className={styles.actions}>
        {runId !== null && (
          <Button appearance="primary" onClick={() => goTo({ page: "run", runId })}>
            {t("start.progress.open")}
          </Button>
        )}
        {step === "refused" && <Button onClick={() => start.again(form)}>{t("start.progress.edit")}</Button>}
        {step !== "sending" && step !== "refused" && (
          <Button onClick={() => start.again({})}>{t("start.progress.another")}</Button>
        )}
      </div>
    </section>
  );
}
