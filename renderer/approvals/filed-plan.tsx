import { Spinner } from "@fluentui/react-components";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import type { FiledRequest } from "../../shared/api/index.ts";
import type { OperationPlan } from "../../shared/domain/operations/operation.ts";
import { Consequences, Moved } from "../action/plan-preview.tsx";
import { PlannedNodes } from "../action/planned-nodes.tsx";
import { PlannedWrites } from "../action/planned-writes.tsx";
import { Refusals } from "../action/refusals.tsx";
import { ProblemPanel } from "../components/problem.tsx";
import { useStores } from "../state/context.tsx";
import { movedBetween } from "../state/moved.ts";
import styles from "./approvals.module.css";

/** What the requester saw and asks consent for, as it was filed. */
export function FrozenPlan({ plan }: { readonly plan: OperationPlan }) {
  const { t } = useTranslation();
  return (
    <section className={styles.plan} aria-label={t("approvals.filed.plan")}>
      <PlannedNodes plan={plan} />
      <Consequences plan={plan} />
      {plan.writes.length > 0 && <PlannedWrites writes={plan.writes} />}
    </section>
  );
}

/** The same thing planned anew for whoever approves it: unchanged, or what moved since (operator-ux §2.4, D6). */
export function PlanNow({ request }: { readonly request: FiledRequest }) {
  const { t } = useTranslation();
  const { approvals } = useStores();
  const looked = useStore(approvals.store, (state) =>
    state.looked?.requestId === request.requestId ? state.looked : null,
  );
  if (looked === null) return null;
  if (looked.problem !== null) return <ProblemPanel problem={looked.problem} />;
  if (looked.plan === null) {
    return <Spinner size="tiny" labelPosition="after" label={t("action.plan.reading")} />;
  }
  const { plan } = looked;
  if (!plan.available) return <Refusals problems={plan.refusals} />;
  if (plan.fingerprint === request.plan.fingerprint) {
    return <p role="status">{t("approvals.filed.unchanged")}</p>;
  }
  return (
    <>
      <p role="status">{t("approvals.filed.changed")}</p>
      <Moved names={movedBetween(request.plan.seen, plan.seen)} />
      <FrozenPlan plan={plan} />
    </>
  );
}

/** Whether approving can come to anything: the plan is what it was. Main asks again in any case. */
export function useUnchanged({ requestId, plan }: FiledRequest): boolean {
  const { approvals } = useStores();
  return useStore(
    approvals.store,
    ({ looked }) =>
      looked?.requestId === requestId &&
      looked.plan?.available === true &&
      looked.plan.fingerprint === plan.fingerprint,
  );
}
