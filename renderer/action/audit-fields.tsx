import { Field, Input, Select } from "@fluentui/react-components";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { useStores } from "../state/context.tsx";
import styles from "./action.module.css";
import { ReasonField } from "./reason-field.tsx";

/** What the interrupted close reported, word by word: the audit is written under that event id and no other. */
export function AuditFields() {
  const { t } = useTranslation();
  const { action } = useStores();
  const intent = useStore(action.store, ({ draft }) => draft?.intent);
  if (intent?.kind !== "completeAudit") return null;
  const revision = intent.runRevisionBefore;
  return (
    <>
      <Field label={t("action.audit.eventId")} required>
        <Input
          value={intent.eventId}
          autoComplete="off"
          spellCheck={false}
          maxLength={200}
          onChange={(_, { value }) => action.edit({ eventId: value.trim() })}
        />
      </Field>
      <div className={styles.row}>
        <Field label={t("action.audit.archivedAt")} hint={t("action.audit.archivedAtHint")} required>
          <Input
            value={intent.archivedAt}
            autoComplete="off"
            maxLength={200}
            onChange={(_, { value }) => action.edit({ archivedAt: value.trim() })}
          />
        </Field>
        <Field label={t("action.audit.previousStatus")}>
          <Select
            value={intent.previousStatus}
            onChange={(_, { value }) =>
              action.edit({ previousStatus: value === "CANCELLED" ? "CANCELLED" : "FAILED" })
            }
          >
            <option value="FAILED">{t("status.run.FAILED")} (FAILED)</option>
            <option value="CANCELLED">{t("status.run.CANCELLED")} (CANCELLED)</option>
          </Select>
        </Field>
        <Field label={t("action.audit.revision")} required>
          <Input
            type="number"
            min={1}
            value={String(revision)}
            onChange={(_, { value }) => action.edit({ runRevisionBefore: Math.max(1, Number(value)) })}
          />
        </Field>
      </div>
      <ReasonField />
    </>
  );
}
