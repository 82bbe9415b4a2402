import { Field, Textarea } from "@fluentui/react-components";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { REASON_MIN } from "../../shared/api/index.ts";
import { useStores } from "../state/context.tsx";

/** Why, in words another shift understands; asked for by everything that changes execution (operator-ux §2.1). */
export function ReasonField() {
  const { t } = useTranslation();
  const { action } = useStores();
  const intent = useStore(action.store, ({ draft }) => draft?.intent);
  if (intent === undefined || !("reason" in intent)) return null;
  const { reason } = intent;
  const short = reason !== "" && reason.trim().length < REASON_MIN;
  return (
    <Field
      label={t("action.reason.label")}
      hint={t("action.reason.hint", { count: REASON_MIN })}
      required
      validationState={short ? "error" : "none"}
      validationMessage={short ? t("action.missing.reason") : undefined}
    >
      <Textarea
        value={reason}
        rows={2}
        maxLength={500}
        onChange={(_, { value }) => action.edit({ reason: value })}
      />
    </Field>
  );
}
