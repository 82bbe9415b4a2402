import { Field, Select } from "@fluentui/react-components";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { useStores } from "../state/context.tsx";
import { markedText } from "../text/marks.ts";
import { ReasonField } from "./reason-field.tsx";

/** From which node, among those of the open Run. */
export function RerunFields() {
  const { t } = useTranslation();
  const { action, runDetail } = useStores();
  const intent = useStore(action.store, ({ draft }) => draft?.intent);
  const runId = useStore(runDetail.store, (state) => state.runId);
  const nodes = useStore(runDetail.store, (state) => state.detail.value?.nodes);
  if (intent?.kind !== "rerun") return null;
  const { fromNode } = intent;
  const known = runId === intent.runId ? (nodes ?? []) : [];
  const others = known.filter(({ nodeId }) => nodeId !== fromNode);
  return (
    <>
      {others.length > 0 && (
        <Field label={t("action.rerun.from")} hint={t("action.rerun.fromHint")}>
          <Select value={fromNode} onChange={(_, { value }) => action.edit({ fromNode: value })}>
            {known.map(({ nodeId, status }) => (
              <option key={nodeId} value={nodeId}>
                {markedText(nodeId, true)} · {t(`status.node.${status}`)}
              </option>
            ))}
          </Select>
        </Field>
      )}
      <ReasonField />
    </>
  );
}
