import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import type { LockHolder } from "../../shared/api/index.ts";
import { type Look, Toned } from "../components/toned.tsx";
import { useNow, useStores } from "../state/context.tsx";
import { durationParts } from "../text/time.ts";
import { leaseCountdown } from "./lease.ts";
import styles from "./locks.module.css";

type State = "free" | "held" | "stale";

const LOOK: Readonly<Record<State, Look>> = {
  free: { tone: "waiting", shape: <circle cx="8" cy="8" r="6.2" strokeDasharray="2.6 2.3" /> },
  held: {
    tone: "live",
    shape: (
      <>
        <rect x="3" y="7" width="10" height="7" rx="1.5" fill="currentColor" />
        <path d="M5 7V5a3 3 0 0 1 6 0v2" />
      </>
    ),
  },
  stale: {
    tone: "suspect",
    shape: (
      <>
        <path d="M8 1.6l6.8 12.2H1.2z" />
        <path d="M8 6.2v3.6M8 11.8v.1" />
      </>
    ),
  },
};

/** Free, held, or a candidate, which never stands without the words that it is no proof (operator-ux §5.2). */
export function LockState({
  holder,
  large,
}: {
  readonly holder: LockHolder | null;
  readonly large?: boolean;
}) {
  const { t } = useTranslation();
  const state: State = holder === null ? "free" : holder.staleCandidate ? "stale" : "held";
  return (
    <span className={styles.state} data-state={state}>
      <Toned look={LOOK[state]} large={large === true}>
        {t(`locks.state.${state}`)}
      </Toned>
      {state === "stale" && <span className={styles.notProof}>{t("locks.notProof")}</span>}
    </span>
  );
}

/** How long the lease stands, the margin said apart; counted on the console's own clock. */
export function LeaseLeft({ leaseExpiresAt }: { readonly leaseExpiresAt: string }) {
  const { t } = useTranslation();
  const skewMs = useStore(useStores().locks.store, (state) => state.skewMs);
  const countdown = leaseCountdown(leaseExpiresAt, useNow() + skewMs);
  if (countdown === null) return null;
  const { unit, ...parts } = durationParts(Math.max(10, countdown.seconds));
  const duration =
    countdown.seconds < 10
      ? t("time.duration.seconds", { seconds: countdown.seconds })
      : t(`time.duration.${unit}`, parts);
  const { phase } = countdown;
  return (
    <span className={styles.left} data-phase={phase}>
      {phase === "standing"
        ? t("locks.left", { duration })
        : phase === "margin"
          ? t("locks.inMargin", { duration })
          : t("locks.over", { duration })}
    </span>
  );
}
