import { Button, Spinner } from "@fluentui/react-components";
import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import type { OperationPlan } from "../../shared/domain/operations/operation.ts";
import { ProblemPanel } from "../components/problem.tsx";
import { ForeignText } from "../components/text.tsx";
import { useNow, useStores } from "../state/context.tsx";
import { markedText } from "../text/marks.ts";
import styles from "./action.module.css";
import { ComparedInputs } from "./compared-inputs.tsx";
import { PlannedNodes } from "./planned-nodes.tsx";
import { PlannedWrites } from "./planned-writes.tsx";
import { Refusals } from "./refusals.tsx";

/**
 * What would happen, as the functions that execute it see it on fresh records, with its age (operator-ux §1.2, D6). What
 * moved since the dialog opened stays told.
 */
export function PlanPreview() {
  const { t } = useTranslation();
  const { action } = useStores();
  const { planned, planning, planProblem, moved, old } = useStore(action.store);
  return (
    <section className={styles.preview} aria-label={t("action.plan.title")} aria-busy={planning}>
      <div className={styles.previewHead}>
        <h3 className={styles.heading}>{t("action.plan.title")}</h3>
        <PlanAge />
      </div>
      <Moved names={moved} />
      {planProblem && (
        <ProblemPanel
          problem={planProblem}
          action={{ label: t("action.plan.recompute"), run: () => void action.recompute() }}
        />
      )}
      {planned === null ? (
        planning && <Spinner size="tiny" labelPosition="after" label={t("action.plan.reading")} />
      ) : (
        <div className={styles.planBody} data-old={old || undefined}>
          <Plan plan={planned.plan} />
        </div>
      )}
    </section>
  );
}

/** What is not what it was when it was shown first; nothing where nothing moved. */
export function Moved({ names }: { readonly names: readonly string[] }) {
  const { t } = useTranslation();
  if (names.length === 0) return null;
  return (
    <div className={styles.moved} role="status" data-testid="moved">
      <strong>{t("action.plan.moved")}</strong>
      <span>{names.map((name) => movedName(name, t)).join(t("action.list"))}</span>
    </div>
  );
}

const MOVED = ["run", "hold", "lock", "attempt", "invocation", "request", "jobLock"] as const;

/** A record by its kind; a node by its name, too, for its id means something. */
function movedName(name: string, t: TFunction): string {
  const [kind, ...rest] = name.split(" ");
  const known = MOVED.find((each) => each === kind);
  if (known !== undefined) return t(`action.moved.${known}`);
  const id = markedText(rest.join(" "), true);
  return kind === "node" && id !== "" ? t("action.moved.node", { id }) : markedText(name, true);
}

/** 「12秒前の予定」 and the way to a new one. */
export function PlanAge() {
  const { t } = useTranslation();
  const { action } = useStores();
  const { planned, plannedAtMs, planning, old } = useStore(action.store);
  const now = useNow();
  if (planned === null) return null;
  const count = Math.max(0, Math.floor((now - plannedAtMs) / 1000));
  return (
    <span className={styles.age}>
      <span data-testid="plan-age">
        {planning ? t("action.plan.reading") : t(old ? "action.plan.old" : "action.plan.age", { count })}
      </span>
      <Button size="small" appearance="subtle" onClick={() => void action.recompute()}>
        {t("action.plan.recompute")}
      </Button>
    </span>
  );
}

function Plan({ plan }: { readonly plan: OperationPlan }) {
  return (
    <>
      {!plan.available && <Refusals problems={plan.refusals} />}
      <PlannedNodes plan={plan} />
      <Consequences plan={plan} />
      {plan.inputs !== null && plan.inputs.length > 0 && <ComparedInputs inputs={plan.inputs} />}
      {plan.writes.length > 0 && <PlannedWrites writes={plan.writes} />}
    </>
  );
}

/** What it brings about beyond its records. */
export function Consequences({ plan }: { readonly plan: OperationPlan }) {
  const { t } = useTranslation();
  // That it cannot be undone stands above, beside the way back.
  const told = plan.consequences.filter(({ name }) => name !== "cannotBeUndone");
  if (told.length === 0) return null;
  return (
    <ul className={styles.consequences} aria-label={t("action.plan.consequences")}>
      {told.map(({ name, params }) => (
        <li key={name}>
          <ForeignText text={t(`consequence.${name}`, params)} />
        </li>
      ))}
    </ul>
  );
}
