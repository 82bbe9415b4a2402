import { type ReactNode, type RefObject, useState } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import type { IntentKind } from "../../shared/api/index.ts";
import { useStores } from "../state/context.tsx";
import styles from "./action.module.css";
import { ConfirmBar } from "./confirm-bar.tsx";
import { ConsentField } from "./consent-field.tsx";
import { DangerMark } from "./danger-mark.tsx";
import { Filed } from "./filed.tsx";
import { FormFields } from "./forms.tsx";
import { IdentifierField } from "./identifier-field.tsx";
import { titleOf, UNDOABLE } from "./names.ts";
import { Outcome } from "./outcome.tsx";
import { PlanPreview } from "./plan-preview.tsx";
import { SendRefused } from "./send-refused.tsx";
import { SubjectFacts } from "./subject-facts.tsx";
import { useTouch } from "./use-touch.ts";

interface ActionPanelProps {
  readonly onClose: () => void;
  readonly closeRef?: RefObject<HTMLButtonElement | null>;
  /** Of the heading, for whatever frames the panel. */
  readonly titleId?: string;
  /** Shown between the facts and the plan: what a kind knows beyond them, such as probes. */
  readonly children?: ReactNode;
}

/**
 * The whole of one action, for a dialog or a drawer: what is done to what, what changes and what does not, the plan, the
 * form, the confirmation, and the outcome in its place (operator-ux §2.2).
 */
export function ActionPanel({ onClose, closeRef, titleId, children }: ActionPanelProps) {
  const { action } = useStores();
  const draft = useStore(action.store, (state) => state.draft);
  const sent = useStore(action.store, (state) => state.sent);
  const filed = useStore(action.store, (state) => state.filed);
  const panel = useTouch();
  if (draft === null) return null;
  return (
    <div className={styles.panel} ref={panel}>
      <ActionHead {...(titleId && { titleId })} />
      {sent !== null ? (
        <Outcome sent={sent} onClose={onClose} />
      ) : filed !== null ? (
        <Filed request={filed} onClose={onClose} />
      ) : (
        <>
          <div className={styles.body}>
            <SubjectFacts />
            {children}
            <PlanPreview />
            <ActionForm />
          </div>
          <ConfirmBar onClose={onClose} {...(closeRef && { closeRef })} />
        </>
      )}
    </div>
  );
}

/** Verb and object in full, the danger, and in one line each what changes, what does not and the way back (D1, D15). */
function ActionHead({ titleId }: { readonly titleId?: string }) {
  const { t } = useTranslation();
  const { action } = useStores();
  const draft = useStore(action.store, (state) => state.draft);
  const plan = useStore(action.store, (state) => state.planned?.plan);
  const sent = useStore(action.store, (state) => state.sent !== null);
  if (draft === null) return null;
  const { intent } = draft;
  const { kind } = intent;
  return (
    <header className={styles.head} data-danger={plan?.danger}>
      <div className={styles.titleLine}>
        <h2 className={styles.title} id={titleId}>
          {titleOf(intent, { ...draft.subject, ...plan?.subject }, t)}
        </h2>
        {plan && <DangerMark danger={plan.danger} />}
      </div>
      {!sent && (
        <>
          <p className={styles.line}>
            {t(`action.kind.${kind}.does`)} {t(`action.kind.${kind}.keeps`)}
          </p>
          <p className={styles.back}>
            {!UNDOABLE.has(kind) && <strong>{t("action.noUndo")} </strong>}
            {t(`action.kind.${kind}.back`)}
          </p>
        </>
      )}
    </header>
  );
}

/** What is refused may be about what these forms themselves name: another Run or network makes another plan. */
const NAMES_ITS_SUBJECT: ReadonlySet<IntentKind> = new Set(["request"]);

/**
 * The fields of the kind and what its danger asks for beyond them; nothing to fill in for what cannot be done from the
 * start. A form that was offered stays under the hand when a later plan is refused (operator-ux U5): why stands above it,
 * and its button waits.
 */
function ActionForm() {
  const { t } = useTranslation();
  const { action } = useStores();
  const kind = useStore(action.store, (state) => state.draft?.intent.kind);
  const planned = useStore(action.store, (state) => state.planned);
  const problem = useStore(action.store, (state) => state.sendProblem);
  const offered = useOnce(planned?.plan.available === true);
  if (kind === undefined) return null;
  const open = planned === null || offered || NAMES_ITS_SUBJECT.has(kind);
  if (!open && problem === null) return null;
  const identifier = planned?.friction.identifier ?? null;
  return (
    <section className={styles.form} aria-label={t("action.form")}>
      {open && (
        <>
          <FormFields kind={kind} />
          {identifier !== null && <IdentifierField wanted={identifier} />}
          {planned?.friction.secondPerson && <ConsentField friction={planned.friction} />}
        </>
      )}
      {problem && <SendRefused problem={problem} line={t("action.sendRefused", { code: problem.code })} />}
    </section>
  );
}

/** Whether it has ever been so, since this stands here. */
function useOnce(fact: boolean): boolean {
  const [been, setBeen] = useState(fact);
  if (fact && !been) setBeen(true);
  return been || fact;
}
