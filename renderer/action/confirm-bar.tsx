import { Button } from "@fluentui/react-components";
import { type RefObject, useId } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { useGate, useStores } from "../state/context.tsx";
import styles from "./action.module.css";
import { DangerIcon } from "./danger-mark.tsx";
import { missingOf, onlyRenews } from "./missing.ts";
import { titleOf } from "./names.ts";
import { useArm } from "./use-arm.ts";

/**
 * 「閉じる」 and, apart from it, the button that does it: named by verb and object, waiting for what is listed beside it
 * (operator-ux D1, D2, D11). Enter reaches it only after a Tab to it; no field submits anything (D3, D5).
 */
export function ConfirmBar({ onClose, closeRef, lacking }: ConfirmBarProps) {
  const { t } = useTranslation();
  const { action } = useStores();
  const state = useStore(action.store);
  const usual = missingOf(state, useGate()).map((code) => ({ code, word: t(`action.missing.${code}`) }));
  const missing: readonly Lack[] = lacking ?? usual;
  const list = useId();
  const plan = state.planned?.plan;
  const key = plan && onlyRenews(missing.map(({ code }) => code)) ? plan.fingerprint : null;
  const armMs = state.planned?.friction.armMs ?? 0;
  const armed = useArm(key, armMs) && missing.length === 0;
  const name = useConfirmName();
  const asks = state.draft?.consent === "ask" && state.planned?.friction.secondPerson === true;
  return (
    <div className={styles.bar} data-danger={plan?.danger ?? "L2"}>
      <div className={styles.waiting} id={list} aria-live="polite">
        {missing.length > 0 && (
          <>
            <span>{t("action.missing.title")}</span>
            <ul>
              {missing.map(({ code, word }) => (
                <li key={code}>{word}</li>
              ))}
            </ul>
          </>
        )}
        {key !== null && armMs > 0 && missing.length === 0 && <Arm key={key} armed={armed} ms={armMs} />}
      </div>
      <div className={styles.buttons}>
        <Button ref={closeRef} onClick={onClose}>
          {t("action.close")}
        </Button>
        <Button
          className={styles.confirm}
          appearance="primary"
          icon={<DangerIcon danger={plan?.danger ?? "L2"} />}
          disabledFocusable={!armed || state.filing}
          aria-describedby={list}
          data-testid="confirm"
          onClick={() => {
            if (armed) void (asks ? action.file() : action.execute());
          }}
        >
          {asks ? t("action.consent.askFor", { what: name }) : name}
        </Button>
      </div>
    </div>
  );
}

/** Something a confirmation lacks, and how it is told. */
interface Lack {
  readonly code: string;
  readonly word: string;
}

interface ConfirmBarProps {
  readonly onClose: () => void;
  readonly closeRef?: RefObject<HTMLButtonElement | null>;
  /** What is still needed, where a page asks for more than the form does; the usual list otherwise. */
  readonly lacking?: readonly Lack[];
}

/** What the button does, with how many nodes run and stay where nodes run (operator-ux §1.2). */
function useConfirmName(): string {
  const { t } = useTranslation();
  const { action } = useStores();
  const { draft, planned } = useStore(action.store);
  if (draft === null) return "";
  const { kind } = draft.intent;
  const counts = planned?.plan.available ? planned.plan.counts : null;
  if (counts !== null && (kind === "resume" || kind === "rerun")) {
    const parts = { run: counts.run, keep: counts.keep };
    return t("action.counted", { verb: t(`action.kind.${kind}.verb`), ...parts });
  }
  return titleOf(draft.intent, { ...draft.subject, ...planned?.plan.subject }, t);
}

/** The pause before the button works, as a bar that fills: nothing runs out, nobody has to hurry (operator-ux §4, 2.2.1). */
function Arm({ armed, ms }: { readonly armed: boolean; readonly ms: number }) {
  const { t } = useTranslation();
  return (
    <div className={styles.arm} role="status" data-armed={armed || undefined}>
      <span>{t(armed ? "action.arm.ready" : "action.arm.waiting")}</span>
      <span className={styles.armTrack} aria-hidden="true">
        <span className={styles.armFill} style={{ animationDuration: `${ms}ms` }} />
      </span>
    </div>
  );
}
