import { Field, Textarea } from "@fluentui/react-components";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { type IntentKind, REASON_MIN } from "../../shared/api/index.ts";
import { useStores } from "../state/context.tsx";

/** Beside the audit history, in which the record of actions of this console stands: what keeps the reason as well. */
const KEPT_IN = {
  resume: "invocation",
  rerun: "invocation",
  stop: "hold",
  release: "hold",
  close: "audit",
  completeAudit: "audit",
  resolve: "audit",
  realign: "audit",
  forceUnlock: "audit",
  jobUnlock: "audit",
  request: "request",
  requestCancel: "request",
  requestSettle: "result",
} as const satisfies Readonly<Record<IntentKind, string>>;

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
      hint={t(`action.reason.hint.${KEPT_IN[intent.kind]}`, { count: REASON_MIN })}
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
