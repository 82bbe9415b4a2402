import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import type { LockDetail } from "../../../shared/api/index.ts";
import { Consequences, Moved, PlanAge } from "../../action/plan-preview.tsx";
import { PlannedWrites } from "../../action/planned-writes.tsx";
import { ProblemPanel } from "../../components/problem.tsx";
import { ForeignText } from "../../components/text.tsx";
import { useStores } from "../../state/context.tsx";
import styles from "./release.module.css";

/** What becomes of lock, nodes and records, and that nothing starts by itself (operator-ux §2.3, step 5). */
export function ReleaseEffects({ detail }: { readonly detail: LockDetail }) {
  const { t } = useTranslation();
  const { action } = useStores();
  const { planned, planProblem, moved, draft } = useStore(action.store);
  const network = detail.lock.networkId ?? t("locks.unknownNetwork");
  const withoutAudit = draft?.intent.kind === "forceUnlock" && draft.intent.withoutAudit;
  return (
    <div className={styles.block}>
      <ul className={styles.effects}>
        <li>
          <ForeignText text={t("release.effect.free", { network })} id />
        </li>
        <li>
          <Orphans detail={detail} />
        </li>
        <li>{t("release.effect.nothing")}</li>
        <li>{t(withoutAudit ? "release.effect.auditLater" : "release.effect.audit")}</li>
      </ul>
      <Moved names={moved} />
      {planProblem && (
        <ProblemPanel
          problem={planProblem}
          action={{ label: t("action.plan.recompute"), run: () => void action.recompute() }}
        />
      )}
      {planned?.plan.available && (
        <>
          <Consequences plan={planned.plan} />
          <PlannedWrites writes={planned.plan.writes} />
        </>
      )}
      <div>
        <PlanAge />
      </div>
    </div>
  );
}

function Orphans({ detail: { currentNodes, lock, nodesProblem } }: { readonly detail: LockDetail }) {
  const { t } = useTranslation();
  if (nodesProblem !== null || lock.holder?.runId == null) return t("release.effect.orphansUnknown");
  if (currentNodes.length === 0) return t("release.effect.noOrphans");
  const nodes = currentNodes.map(({ nodeId }) => nodeId).join(t("action.list"));
  return <ForeignText text={t("release.effect.orphans", { nodes })} id />;
}
