import {
  Button,
  Dialog,
  DialogBody,
  DialogContent,
  DialogSurface,
  DialogTitle,
} from "@fluentui/react-components";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
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
] as const;

/** `?`: every key there is. None of them changes a record (operator-ux §1.3). */
export function CheatSheet() {
  const { t } = useTranslation();
  const { frame } = useStores();
  const open = useStore(frame.store, (state) => state.keys);
  return (
    <Dialog open={open} onOpenChange={(_, data) => !data.open && frame.hideKeys()}>
      <DialogSurface className={styles.surface}>
        <DialogBody>
          <DialogTitle
            action={
              <Button size="small" onClick={frame.hideKeys}>
                {t("frame.keys.close")}
              </Button>
            }
          >
            {t("frame.keys.title")}
          </DialogTitle>
          <DialogContent>
            <p className={styles.lead}>{t("frame.keys.lead")}</p>
            <dl className={styles.keys}>
              {KEYS.map(([name, keys]) => (
                <Line key={name} keys={keys} text={t(`frame.keys.${name}`)} />
              ))}
              {AREAS.slice(0, 9).map((area, index) => (
                <Line key={area.name} keys={[String(index + 1)]} text={t(`nav.${area.name}`)} />
              ))}
            </dl>
          </DialogContent>
        </DialogBody>
      </DialogSurface>
    </Dialog>
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
