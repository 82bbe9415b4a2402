import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { Modal } from "../components/modal.tsx";
import { useStores } from "../state/context.tsx";
import styles from "./action.module.css";
import { ActionPanel } from "./action-panel.tsx";
import { titleOf } from "./names.ts";

/** The one dialog of the window that does something. It opens over any page and stays until it is closed (operator-ux D7). */
export function ActionDialog() {
  const { t } = useTranslation();
  const { action } = useStores();
  const draft = useStore(action.store, (state) => state.draft);
  const place = useStore(action.store, (state) => state.place);
  const subject = useStore(action.store, (state) => state.planned?.plan.subject);
  if (draft === null || place !== "dialog") return null;
  return (
    <Modal
      label={titleOf(draft.intent, { ...draft.subject, ...subject }, t)}
      className={styles.dialog}
      stays
      onClose={action.close}
    >
      <Inside />
    </Modal>
  );
}

/** The focus starts where nothing happens (operator-ux D3). */
function Inside() {
  const { action } = useStores();
  const close = useRef<HTMLButtonElement>(null);
  useEffect(() => close.current?.focus({ preventScroll: true }), []);
  return <ActionPanel onClose={action.close} closeRef={close} />;
}
