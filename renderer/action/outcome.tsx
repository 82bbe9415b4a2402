import { Button, Spinner } from "@fluentui/react-components";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { Operation } from "../../shared/api/index.ts";
import { nextActionOf } from "../../shared/domain/next-action.ts";
import { goTo } from "../app/use-route.ts";
import face from "../components/face.module.css";
import { Fact, Facts } from "../components/facts.tsx";
import { ProblemPanel } from "../components/problem.tsx";
import { RunStatusBadge } from "../components/status.tsx";
import { CopyId, ForeignText } from "../components/text.tsx";
import { type ActionPhase, phaseOf, type SentAction, underWay } from "../state/action-sent.ts";
import { useStores } from "../state/context.tsx";
import styles from "./action.module.css";
import { NextStep } from "./next-step.tsx";
import { PlannedWrites } from "./planned-writes.tsx";
import { KindResult, KindSeen } from "./results.tsx";

/** What became of it: nothing ahead of the facts, errors in their place, the next step at the end (operator-ux D7, D8). */
export function Outcome({ sent, onClose }: { readonly sent: SentAction; readonly onClose: () => void }) {
  const { t } = useTranslation();
  const { action } = useStores();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const phase = phaseOf(sent);
  const { operation, problem, planned } = sent;
  return (
    <>
      <section className={styles.body} data-testid="outcome" data-phase={phase}>
        <h3 className={styles.heading} ref={heading} tabIndex={-1}>
          {t("action.outcome.title")}
        </h3>
        <KindSeen sent={sent} />
        <Life
          phase={phase}
          ranNodes={operation?.aggregateStatus != null}
          code={operation?.problem?.code ?? operation?.resultCode ?? null}
        />
        {operation?.problem && <ProblemPanel problem={operation.problem} />}
        {phase === "uncertain" && <Uncertain sent={sent} />}
        {problem && phase === "uncertain" && <ProblemPanel problem={problem} />}
        {operation && <KindResult operation={operation} otherwise={<Result operation={operation} />} />}
        {phase === "done" && planned.plan.writes.length > 0 && (
          <PlannedWrites writes={planned.plan.writes} done />
        )}
        {phase === "done" && operation && <NextStep operation={operation} />}
      </section>
      <div className={styles.bar}>
        <p className={styles.waiting}>{underWay(sent) && t("action.outcome.mayClose")}</p>
        <div className={styles.buttons}>
          {(phase === "refused" || phase === "uncertain") && (
            <Button onClick={() => void action.again()}>{t("action.outcome.lookAgain")}</Button>
          )}
          <Button onClick={onClose}>{t("action.close")}</Button>
        </div>
      </div>
    </>
  );
}

const STEPS = ["sending", "accepted", "applying", "applied"] as const;

interface LifeProps {
  readonly phase: ActionPhase;
  readonly code: string | null;
  /** A scheduler ran and came to its end. */
  readonly ranNodes: boolean;
}

/** 送信 → 受付 → 反映待ち → 反映済み, or 拒否, or 不明: the action's own life, never the wish (operator-ux D8). */
function Life({ phase, code, ranNodes }: LifeProps) {
  const { t } = useTranslation();
  const at = { sending: 0, accepted: 2, applied: 4, done: 4, refused: 4, uncertain: 4 }[phase];
  const broken = phase === "refused" || phase === "uncertain";
  return (
    <div className={styles.life}>
      {!broken && (
        <ol className={styles.steps}>
          {STEPS.map((step, index) => (
            <li key={step} data-step={index < at ? "past" : index === at ? "now" : "ahead"}>
              {index < at && <span aria-hidden="true">✓ </span>}
              {t(`action.step.${step}`)}
            </li>
          ))}
        </ol>
      )}
      <div role="status" className={styles.phase} data-phase={phase}>
        {phase === "sending" || phase === "accepted" ? (
          <Spinner size="tiny" labelPosition="after" label={t(`action.phase.${phase}`)} />
        ) : (
          <strong>
            {phase === "done" && ranNodes ? t("action.phase.ended") : t(`action.phase.${phase}`)}
            {broken && code !== null && ` (${code})`}
          </strong>
        )}
      </div>
    </div>
  );
}

/** Whether it was done is not known: what that means, and the two safe ways on. */
function Uncertain({ sent }: { readonly sent: SentAction }) {
  const { t } = useTranslation();
  const { action } = useStores();
  return (
    <div className={styles.warning}>
      <p className={styles.line}>{t("action.uncertain.lead")}</p>
      <p className={styles.line}>{t("action.uncertain.next")}</p>
      <div className={styles.buttons}>
        <Button size="small" onClick={() => void action.ask()}>
          {t("action.uncertain.ask")}
        </Button>
        {sent.operation === null && action.canResend() && (
          <Button size="small" onClick={() => void action.resend()}>
            {t("action.uncertain.resend")}
          </Button>
        )}
      </div>
    </div>
  );
}

/** What of an operation's details is told, in this order; the rest stands in the records. */
const DETAILS = [
  "eventId",
  "holdState",
  "outcome",
  "nodeStatus",
  "runStatus",
  "requestId",
  "revision",
] as const;

/** What the records say now: Run, result, what was written under which id. */
function Result({ operation }: { readonly operation: Operation }) {
  const { t } = useTranslation();
  const { action } = useStores();
  const { runId, aggregateStatus, resultCode, detail, operationId } = operation;
  const open = (id: string): void => {
    action.close();
    goTo({ page: "run", runId: id });
  };
  return (
    <Facts roomy>
      {aggregateStatus !== null && (
        <Fact label={t("runs.column.status")}>
          <RunStatusBadge status={aggregateStatus} withCode />
        </Fact>
      )}
      {resultCode !== null && (
        <Fact label={t("action.outcome.resultCode")}>
          <span className={face.mono}>
            <ForeignText text={nextActionOf(resultCode).code ?? resultCode} />
          </span>
        </Fact>
      )}
      {DETAILS.map((name) => {
        const value = detail[name] ?? null;
        if (value === null || value === "") return null;
        const label = t(`action.outcome.detail.${name}`);
        return (
          <Fact key={name} label={label} wide={name === "eventId"}>
            <CopyId id={String(value)} what={label} />
          </Fact>
        );
      })}
      <Fact label={t("action.outcome.operationId")} wide>
        <CopyId id={operationId} what={t("action.outcome.operationId")} />
      </Fact>
      {runId !== null && runId !== "" && (
        <Fact label="Run">
          <Button size="small" onClick={() => open(runId)}>
            {t("action.outcome.openRun")}
          </Button>
        </Fact>
      )}
    </Facts>
  );
}
