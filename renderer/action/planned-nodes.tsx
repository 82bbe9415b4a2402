import { useTranslation } from "react-i18next";
import {
  NODE_FATES,
  type NodeFate,
  type OperationPlan,
  type PlannedNode,
} from "../../shared/domain/operations/operation.ts";
import page from "../components/page.module.css";
import { NodeStatusBadge } from "../components/status.tsx";
import { ForeignText } from "../components/text.tsx";
import { markedText } from "../text/marks.ts";
import styles from "./action.module.css";

/** Nodes of one fate listed at once; the rest unfolds. */
const SHOWN = 8;

/** Which nodes will run, stay as they are or stay blocked, each with why (operator-ux §1.2, preview of effects). */
export function PlannedNodes({ plan }: { readonly plan: OperationPlan }) {
  const { t } = useTranslation();
  if (plan.nodes.length === 0) return null;
  const fates = NODE_FATES.filter((fate) => plan.counts[fate] > 0);
  const risky = plan.nodes.filter(({ does, idempotent }) => does === "run" && !idempotent);
  return (
    <>
      {risky.length > 0 && (
        <p className={styles.warning}>
          {t("action.plan.nonIdempotent", {
            nodes: risky.map(({ nodeId }) => markedText(nodeId, true)).join(t("action.list")),
          })}
        </p>
      )}
      {fates.map((fate) => (
        <FateGroup key={fate} fate={fate} nodes={plan.nodes.filter(({ does }) => does === fate)} />
      ))}
    </>
  );
}

/** What runs and what is refused is in sight; what stays as it is unfolds. */
const OPEN: ReadonlySet<NodeFate> = new Set(["run", "refused", "blocked"]);

function FateGroup({ fate, nodes }: { readonly fate: NodeFate; readonly nodes: readonly PlannedNode[] }) {
  const { t } = useTranslation();
  const rest = nodes.slice(SHOWN);
  return (
    <details className={styles.fold} open={OPEN.has(fate)} data-fate={fate}>
      <summary className={styles.fate}>{t(`action.fate.${fate}`, { count: nodes.length })}</summary>
      <NodeList nodes={nodes.slice(0, SHOWN)} />
      {rest.length > 0 && (
        <details className={styles.fold}>
          <summary>{t("action.plan.more", { count: rest.length })}</summary>
          <NodeList nodes={rest} />
        </details>
      )}
    </details>
  );
}

function NodeList({ nodes }: { readonly nodes: readonly PlannedNode[] }) {
  const { t } = useTranslation();
  return (
    <ul className={styles.nodes}>
      {nodes.map(({ nodeId, status, why, by, streak }) => (
        <li key={nodeId} data-planned={nodeId}>
          <span className={styles.nodeName}>
            <ForeignText text={nodeId} id />
          </span>
          <NodeStatusBadge status={status} />
          <span className={page.quiet}>
            {t(`action.why.${why}`)}
            {by.length > 0 && (
              <>
                {": "}
                <ForeignText text={by.join(", ")} id />
              </>
            )}
            {streak !== null && (
              <>
                {" · "}
                <ForeignText text={streak.code} /> {t("attention.times", { count: streak.count })}
              </>
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}
