import type { TFunction } from "i18next";
import { type ReactNode, useId } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import type { LockDetail, LockHolder } from "../../../shared/api/index.ts";
import { ConfirmBar } from "../../action/confirm-bar.tsx";
import { ConsentField } from "../../action/consent-field.tsx";
import { IdentifierField } from "../../action/identifier-field.tsx";
import { SendRefused } from "../../action/send-refused.tsx";
import { useGate, useStores } from "../../state/context.tsx";
import { Probes } from "../probes.tsx";
import { GatePanel } from "./gate-panel.tsx";
import styles from "./release.module.css";
import { ReleaseEffects } from "./release-effects.tsx";
import { ReleaseEvidence } from "./release-evidence.tsx";
import { ReleaseFacts } from "./release-facts.tsx";
import { formIsOpen, releaseGate } from "./release-gate.ts";
import { type ReleaseMissing, releaseMissing } from "./release-missing.ts";

interface ReleaseStepsProps {
  readonly detail: LockDetail;
  readonly holder: LockHolder;
  readonly onClose: () => void;
}

/** The five steps on one page, and below them the button with what it waits for. */
export function ReleaseSteps({ detail, holder, onClose }: ReleaseStepsProps) {
  const { t } = useTranslation();
  const { action, locks } = useStores();
  const state = useStore(action.store);
  const busy = useStore(locks.store, (each) => each.detail.phase === "loading");
  const gate = releaseGate(detail);
  const missing = releaseMissing(state, useGate(), gate, holder);
  const { draft, planned, sendProblem } = state;
  const intent = draft?.intent.kind === "forceUnlock" ? draft.intent : null;
  const open = formIsOpen(gate) && intent !== null;
  return (
    <>
      <div className={styles.steps}>
        <Step no={1} name="facts">
          <ReleaseFacts detail={detail} holder={holder} />
        </Step>
        <Step no={2} name="alive">
          <div className={styles.block}>
            <Probes detail={detail} busy={busy} bare onAgain={() => void action.recompute()} />
            <GatePanel gate={gate} />
          </div>
        </Step>
        {open && (
          <>
            <Step no={3} name="evidence">
              <ReleaseEvidence intent={intent} holder={holder} />
            </Step>
            <Step no={4} name="effects">
              <ReleaseEffects detail={detail} />
            </Step>
            <Step no={5} name="confirm">
              <div className={styles.form}>
                {intent.withoutAudit && <p className={styles.warn}>{t("release.twoStep.chosen")}</p>}
                {planned?.friction.identifier && <IdentifierField wanted={planned.friction.identifier} />}
                {planned?.friction.secondPerson && <ConsentField friction={planned.friction} />}
              </div>
            </Step>
          </>
        )}
        {sendProblem && (
          <SendRefused problem={sendProblem} line={t("action.sendRefused", { code: sendProblem.code })} />
        )}
      </div>
      <ConfirmBar onClose={onClose} lacking={missing.map((code) => ({ code, word: wordOf(code, t) }))} />
    </>
  );
}

function wordOf(missing: ReleaseMissing, t: TFunction): string {
  switch (missing) {
    case "releaseGate":
      return t("release.missing.gate");
    case "pid":
      return t("release.missing.pid");
    case "checks":
      return t("release.missing.checks");
    default:
      return t(`action.missing.${missing}`);
  }
}

interface StepProps {
  readonly no: number;
  readonly name: "facts" | "alive" | "evidence" | "effects" | "confirm";
  readonly children: ReactNode;
}

function Step({ no, name, children }: StepProps) {
  const { t } = useTranslation();
  const id = useId();
  return (
    <section className={styles.step} aria-labelledby={id} data-step={name}>
      <h3 className={styles.stepName} id={id}>
        <span className={styles.no}>{no}</span>
        {t(`release.step.${name}`)}
      </h3>
      {children}
    </section>
  );
}
