import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { Refusals } from "../../action/refusals.tsx";
import { useSecondText } from "../../components/text.tsx";
import { useNow, useStores } from "../../state/context.tsx";
import { durationParts } from "../../text/time.ts";
import styles from "./release.module.css";
import { type ReleaseGate, toldRefusals } from "./release-gate.ts";

/** What follows from the probes for the release: nothing against it, or why it is impossible (operator-ux §2.3, step 3). */
export function GatePanel({ gate }: { readonly gate: ReleaseGate | null }) {
  const { t } = useTranslation();
  const refusals = useStore(useStores().action.store, ({ planned }) => planned?.plan.refusals ?? NONE);
  const told = toldRefusals(refusals, gate);
  const closed = gate !== null || told.length > 0;
  return (
    <div
      className={styles.gate}
      data-testid="release-gate"
      data-gate={gate?.kind ?? (closed ? "refused" : "open")}
    >
      {!closed && <p>{t("release.gate.open")}</p>}
      {closed && <strong>{t("release.gate.closed")}</strong>}
      {gate?.kind === "lease" && <LeaseGate allowedAtMs={gate.allowedAtMs} />}
      {gate !== null && gate.kind !== "lease" && <p>{t(`release.gate.${gate.kind}`)}</p>}
      {told.length > 0 && <Refusals problems={told} />}
    </div>
  );
}
const NONE: readonly never[] = [];

/** Counts down to when the lease and its margin are over, by main's clock. */
function LeaseGate({ allowedAtMs }: { readonly allowedAtMs: number | null }) {
  const { t } = useTranslation();
  const secondText = useSecondText();
  const skewMs = useStore(useStores().locks.store, (state) => state.skewMs);
  const now = useNow() + skewMs;
  if (allowedAtMs === null) return <p>{t("release.gate.leaseUnreadable")}</p>;
  const seconds = Math.max(0, Math.ceil((allowedAtMs - now) / 1000));
  const { unit, ...parts } = durationParts(Math.max(10, seconds));
  const duration = seconds < 10 ? t("time.duration.seconds", { seconds }) : t(`time.duration.${unit}`, parts);
  const time = secondText(new Date(allowedAtMs).toISOString());
  return (
    <>
      <p>{t("release.gate.lease")}</p>
      <p className={styles.countdown} role="timer">
        {t("release.gate.leaseIn", { duration, time })}
      </p>
    </>
  );
}
