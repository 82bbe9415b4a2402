import { Button } from "@fluentui/react-components";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { LEAVING } from "../app/use-route.ts";
import { Modal } from "../components/modal.tsx";
import page from "../components/page.module.css";
import { useStores } from "../state/context.tsx";
import { isDirty } from "../state/settings.ts";
import saving from "./saving.module.css";

const inside = (hash: string): boolean => /^#\/settings(\/|$)/.test(hash);

/**
 * Keeps unsaved settings from being lost unseen: whatever leads away, a link, the palette or the browser's own buttons,
 * is held back until the operator chose. Between the parts of the settings one goes freely.
 */
export function LeaveGuard() {
  const { t } = useTranslation();
  const { settings } = useStores();
  const dirty = useStore(settings.store, isDirty);
  const [wanted, setWanted] = useState<string | null>(null);
  const here = useRef(window.location.hash);
  useEffect(() => {
    const onLeaving = (event: Event): void => {
      const to = window.location.hash;
      if (inside(to) || !dirty) {
        here.current = to;
        return;
      }
      event.preventDefault();
      window.history.pushState(null, "", here.current);
      setWanted(to);
    };
    const onUnload = (event: BeforeUnloadEvent): void => {
      if (dirty) event.preventDefault();
    };
    window.addEventListener(LEAVING, onLeaving);
    window.addEventListener("beforeunload", onUnload);
    return () => {
      window.removeEventListener(LEAVING, onLeaving);
      window.removeEventListener("beforeunload", onUnload);
    };
  }, [dirty]);
  const go = (): void => {
    const to = wanted;
    setWanted(null);
    settings.discard();
    // After the guard has heard that nothing is unsaved any more.
    if (to !== null) queueMicrotask(() => requestAnimationFrame(() => window.location.assign(to)));
  };
  if (wanted === null) return null;
  return (
    <Modal label={t("settings.leave.title")} className={saving.leave} onClose={() => setWanted(null)}>
      <div className={saving.leaveInside}>
        <h2 className={page.heading}>{t("settings.leave.title")}</h2>
        <p className={page.lead}>{t("settings.leave.text")}</p>
        <div className={saving.leaveActions}>
          <Button onClick={go}>{t("settings.leave.go")}</Button>
          <Button appearance="primary" onClick={() => setWanted(null)}>
            {t("settings.leave.stay")}
          </Button>
        </div>
      </div>
    </Modal>
  );
}
