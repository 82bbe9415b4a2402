import { useTranslation } from "react-i18next";
import type { DangerLevel } from "../../shared/domain/operations/operation.ts";
import { Mark } from "../components/mark.tsx";
import styles from "./action.module.css";

/** One shape a level: the more dangerous, the more it looks like a barrier (operator-ux D2). */
const SHAPES = {
  L0: <circle cx="8" cy="8" r="6" />,
  L1: <circle cx="8" cy="8" r="6" />,
  L2: <path d="M3 8h9M8.5 4l4 4-4 4" />,
  L3: <path d="M8 2l6.4 11.4H1.6zM8 6.4v3.4M8 11.6v.1" />,
  L4: <path d="M5.2 1.2h5.6l4 4v5.6l-4 4H5.2l-4-4V5.2zM8 4.4v4.4M8 11.2v.1" />,
} as const;

/** How dangerous it is: a shape, a colour, a number and what the number means. */
export function DangerMark({ danger }: { readonly danger: DangerLevel }) {
  const { t } = useTranslation();
  return (
    <span className={styles.danger} data-danger={danger}>
      <DangerIcon danger={danger} />
      <span>{t(`action.danger.${danger}`)}</span>
    </span>
  );
}

export function DangerIcon({ danger }: { readonly danger: DangerLevel }) {
  return <Mark round>{SHAPES[danger]}</Mark>;
}
