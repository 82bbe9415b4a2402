import { Field, Input } from "@fluentui/react-components";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { useStores } from "../state/context.tsx";
import { EvidenceFields } from "./evidence-form.tsx";
import { ReasonField } from "./reason-field.tsx";

/** The form of taking up an edited record: who made sure of the edit, what shows it, and why it may stand (orchestration §11.1). */
export function RealignFields() {
  const { t } = useTranslation();
  const { action } = useStores();
  const intent = useStore(action.store, ({ draft }) => draft?.intent);
  if (intent?.kind !== "realign") return null;
  return (
    <>
      <Field label={t("action.realign.confirmedBy")} hint={t("action.realign.confirmedByHint")} required>
        <Input
          value={intent.confirmedBy}
          maxLength={200}
          autoComplete="off"
          onChange={(_, { value }) => action.edit({ confirmedBy: value })}
        />
      </Field>
      <EvidenceFields text={intent.evidenceText} />
      <ReasonField />
    </>
  );
}
