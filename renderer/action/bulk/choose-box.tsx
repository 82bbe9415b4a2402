import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { useStores } from "../../state/context.tsx";
import { markedText } from "../../text/marks.ts";
import styles from "./bulk.module.css";

interface ChooseBoxProps {
  readonly recordId: string;
  readonly name: string;
  /** Reached by Tab from the row that has the focus, and from no other. */
  readonly tabIndex: 0 | -1;
}

/** Takes one Run of the list into the choice, beside the link that opens it. */
export function ChooseBox({ recordId, name, tabIndex }: ChooseBoxProps) {
  const { t } = useTranslation();
  const { bulk } = useStores();
  const chosen = useStore(bulk.store, (state) => state.chosen.includes(recordId));
  return (
    <label className={styles.choose}>
      <input
        type="checkbox"
        checked={chosen}
        tabIndex={tabIndex}
        aria-label={t("action.bulk.choose", { name: markedText(name, true) })}
        onChange={() => bulk.toggle(recordId)}
      />
    </label>
  );
}
