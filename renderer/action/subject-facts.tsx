import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { CopyId, ForeignText, useSecondText } from "../components/text.tsx";
import { useStores } from "../state/context.tsx";
import styles from "./action.module.css";

const NAMES = ["profile", "networkId", "businessKey", "runId", "nodeId", "jobKey", "requestId"] as const;

/** What exactly it is done to, and when and at which revision that was read (operator-ux D1). */
export function SubjectFacts() {
  const { t } = useTranslation();
  const { action } = useStores();
  const secondText = useSecondText();
  const draft = useStore(action.store, (state) => state.draft);
  const planned = useStore(action.store, (state) => state.planned);
  if (draft === null) return null;
  const subject = { ...draft.subject, ...planned?.plan.subject };
  const revision = planned?.plan.seen.run?.revision ?? planned?.plan.seen.lock?.revision;
  return (
    <dl className={styles.facts}>
      {NAMES.map((name) => {
        const value = subject[name];
        if (!value) return null;
        return (
          <div key={name} className={name === "runId" ? styles.wide : undefined}>
            <dt>{t(`action.subject.${name}`)}</dt>
            <dd>
              {name === "profile" ? (
                <ForeignText text={value} />
              ) : (
                <CopyId id={value} what={t(`action.subject.${name}`)} />
              )}
            </dd>
          </div>
        );
      })}
      {planned !== null && (
        <div>
          <dt>{t("action.subject.read")}</dt>
          <dd className={styles.number}>
            {secondText(planned.readAt)}
            {revision !== undefined && ` · revision ${revision}`}
          </dd>
        </div>
      )}
    </dl>
  );
}
