import { type KeyboardEvent, type PointerEvent, type ReactNode, useLayoutEffect, useRef } from "react";
import styles from "./modal.module.css";

interface ModalProps {
  /** Read to those who cannot see it. */
  readonly label: string;
  readonly className?: string;
  readonly onClose: () => void;
  /** A press beside the sheet leaves it open: what is in it took work, or is not over yet. */
  readonly stays?: boolean;
  readonly children: ReactNode;
}

/**
 * A sheet over the page while it is rendered: the browser's own dialog, which keeps the focus inside, makes the page
 * behind inert and gives the focus back to where it was. Esc closes it, not the page behind, and not while an IME
 * composes (operator-ux §5.1).
 */
export function Modal({ label, className, onClose, stays = false, children }: ModalProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== "Escape" || event.nativeEvent.isComposing) return;
    event.preventDefault();
    onClose();
  };
  /** A press beside the sheet. */
  const onPointerDown = (event: PointerEvent): void => {
    if (!stays && event.target === dialog.current) onClose();
  };
  return (
    <dialog
      ref={dialog}
      className={className === undefined ? styles.modal : `${styles.modal} ${className}`}
      aria-label={label}
      onKeyDown={onKeyDown}
      onPointerDown={onPointerDown}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <div className={styles.inside}>{children}</div>
    </dialog>
  );
}
