import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { Fact, Facts } from "../components/facts.tsx";
import { CopyId, ForeignText, useSecondText } from "../components/text.tsx";
import { useStores } from "../state/context.tsx";

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
    <Facts roomy>
      {NAMES.map((name) => {
        const value = subject[name];
        if (!value) return null;
        return (
          <Fact key={name} label={t(`action.subject.${name}`)} wide={name === "runId"}>
            {name === "profile" ? (
              <ForeignText text={value} />
            ) : (
              <CopyId id={value} what={t(`action.subject.${name}`)} />
            )}
          </Fact>
        );
      })}
      {planned !== null && (
        <Fact label={t("action.subject.read")}>
          {secondText(planned.readAt)}
          {revision !== undefined && ` · revision ${revision}`}
        </Fact>
      )}
    </Facts>
  );
}
