import { Button } from "@fluentui/react-components";
import { useTranslation } from "react-i18next";
import type { RunRow } from "../../shared/api/index.ts";
import type { NodeStatus } from "../../shared/domain/model.ts";
import page from "../components/page.module.css";
import { useStores } from "../state/context.tsx";
import styles from "./action.module.css";
import { rerunIntent } from "./run-choice.ts";

interface NodeActionsProps {
  readonly run: RunRow;
  readonly nodeId: string;
  readonly status: NodeStatus;
}

/** Running a Run again from one of its nodes, apart from resuming it (operator-ux §1.2). */
export function NodeActions({ run, nodeId, status }: NodeActionsProps) {
  const { t } = useTranslation();
  const { action } = useStores();
  // An unknown result is resolved first; what runs or never may run again has nothing to offer here.
  const ended = run.status === "SUCCESS" || run.lifecycle !== "ACTIVE";
  if (ended || status === "UNKNOWN" || status === "RUNNING" || status === "SKIPPED") return null;
  const { runId, businessKey, networkId, profile } = run;
  return (
    <div className={styles.buttons}>
      <Button
        size="small"
        onClick={() =>
          void action.open(rerunIntent(runId, nodeId), {
            subject: { runId, businessKey, networkId, profile },
          })
        }
      >
        {t("action.kind.rerun.verb")}
      </Button>
      <span className={page.quiet}>{t("action.rerun.fromHint")}</span>
    </div>
  );
}
