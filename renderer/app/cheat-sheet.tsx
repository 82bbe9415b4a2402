import { Button } from "@fluentui/react-components";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { Modal } from "../components/modal.tsx";
import { useStores } from "../state/context.tsx";
import styles from "./cheat-sheet.module.css";
import { AREAS } from "./navigation.tsx";

const KEYS = [
  ["palette", ["Ctrl", "K"]],
  ["keys", ["?"]],
  ["search", ["/"]],
  ["row", ["↑", "↓"]],
  ["edges", ["Home", "End"]],
  ["open", ["Enter"]],
  ["back", ["Esc"]],
  ["divider", ["←", "→"]],
  ["hit", ["n", "N"]],
  ["logEdges", ["g", "G"]],
  ["follow", ["f"]],
] as const;

/** `?`: every key there is. None of them changes a record (operator-ux §1.3). */
export function CheatSheet() {
  const { t } = useTranslation();
  const { frame } = useStores();
  const open = useStore(frame.store, (state) => state.keys);
  if (!open) return null;
  return (
    <Modal label={t("frame.keys.title")} className={styles.sheet} onClose={frame.hideKeys}>
      <div className={styles.head}>
        <h2 className={styles.title}>{t("frame.keys.title")}</h2>
        <Button size="small" onClick={frame.hideKeys}>
          {t("frame.keys.close")}
        </Button>
      </div>
      <p className={styles.lead}>{t("frame.keys.lead")}</p>
      <dl className={styles.keys}>
        {KEYS.map(([name, keys]) => (
          <Line key={name} keys={keys} text={t(`frame.keys.${name}`)} />
        ))}
        {AREAS.slice(0, 9).map((area, index) => (
          <Line key={area.name} keys={[String(index + 1)]} text={t(`nav.${area.name}`)} />
        ))}
      </dl>
    </Modal>
  );
}

function Line({ keys, text }: { readonly keys: readonly string[]; readonly text: string }) {
  return (
    <div className={styles.line}>
      <dt>
        {keys.map((key) => (
          <kbd key={key}>{key}</kbd>
        ))}
      </dt>
      <dd>{text}</dd>
    </div>
  );
}
