import { Button, Spinner } from "@fluentui/react-components";
import { type ReactNode, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { DangerMark } from "../../action/danger-mark.tsx";
import { Filed } from "../../action/filed.tsx";
import { Outcome } from "../../action/outcome.tsx";
import { useTouch } from "../../action/use-touch.ts";
import { goTo } from "../../app/use-route.ts";
import { Modal } from "../../components/modal.tsx";
import { ProblemPanel } from "../../components/problem.tsx";
import { ForeignText } from "../../components/text.tsx";
import { useStores } from "../../state/context.tsx";
import { markedText } from "../../text/marks.ts";
import styles from "./release.module.css";
import { ReleaseSteps } from "./release-steps.tsx";
import { useReleaseForm, useReleaseNews } from "./use-release.ts";

/**
 * 強制解放 over ロック: facts, probes, evidence, effects and confirmation on one page, which stays until the outcome is
 * known (screens, 強制解放; operator-ux §2.3). Opening it writes nothing (D13).
 */
export function ReleaseDrawer({ recordId }: { readonly recordId: string }) {
  const { t } = useTranslation();
  const { locks } = useStores();
  const detail = useStore(locks.store, (state) => state.detail);
  const panel = useTouch();
  useReleaseForm(recordId);
  useReleaseNews(recordId);
  const network = detail.value?.lock.networkId ?? t("locks.unknownNetwork");
  const title = t("release.title", { network: markedText(network, true) });
  const close = (): void => goTo({ page: "locks", recordId });
  return (
    <Modal label={title} className={styles.drawer ?? ""} stays onClose={close}>
      <div className={styles.panel} ref={panel}>
        <Head network={network} onClose={close} />
        <Body onClose={close} />
      </div>
    </Modal>
  );
}

/** The focus starts where nothing happens (operator-ux D3). */
function Head({ network, onClose }: { readonly network: string; readonly onClose: () => void }) {
  const { t } = useTranslation();
  const close = useRef<HTMLButtonElement>(null);
  useEffect(() => close.current?.focus(), []);
  return (
    <header className={styles.head}>
      <div className={styles.titleLine}>
        <h2 className={styles.title}>
          <ForeignText text={t("release.title", { network })} id />
        </h2>
        <DangerMark danger="L4" />
        <Button ref={close} size="small" onClick={onClose}>
          {t("release.close")}
        </Button>
      </div>
      <p className={styles.final}>
        <strong>{t("release.final")}</strong> {t("release.wayBack")}
      </p>
      <LookProblem />
    </header>
  );
}

function Body({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation();
  const { action, locks } = useStores();
  const { value, problem } = useStore(locks.store, (state) => state.detail);
  const sent = useStore(action.store, (state) => (state.place === "page" ? state.sent : null));
  const filed = useStore(action.store, (state) => (state.place === "page" ? state.filed : null));
  if (sent !== null) return <Outcome sent={sent} onClose={onClose} />;
  if (filed !== null) return <Filed request={filed} onClose={onClose} />;
  if (problem?.code === "LOCK_NOT_HELD") return <Gone />;
  if (value === null || value.lock.holder === null) {
    if (problem !== null) return null;
    return (
      <Filled>
        <Spinner size="tiny" label={t("release.reading")} labelPosition="after" />
      </Filled>
    );
  }
  return <ReleaseSteps detail={value} holder={value.lock.holder} onClose={onClose} />;
}

/**
 * Why the last look failed, above what was seen before and what was filled in: both stay (operator-ux U5), and main looks
 * again before it releases.
 */
function LookProblem() {
  const { t } = useTranslation();
  const { action, locks } = useStores();
  const { problem } = useStore(locks.store, (state) => state.detail);
  const over = useStore(
    action.store,
    ({ place, sent, filed }) => place === "page" && (sent !== null || filed !== null),
  );
  if (problem === null || over || problem.code === "LOCK_NOT_HELD") return null;
  const again = { label: t("problem.retry"), run: () => void locks.probe() };
  return <ProblemPanel problem={problem} action={again} />;
}

const Filled = ({ children }: { readonly children: ReactNode }) => (
  <div className={styles.alone}>{children}</div>
);

/** Released elsewhere, or by its owner, before or while this was open. */
function Gone() {
  const { t } = useTranslation();
  return (
    <Filled>
      <div role="status" data-testid="release-gone">
        <strong>{t("release.gone")}</strong>
        <p>{t("release.goneNext")}</p>
      </div>
      <div>
        <Button onClick={() => goTo({ page: "locks" })}>{t("release.toLocks")}</Button>
      </div>
    </Filled>
  );
}
