import { Button, Checkbox, Input } from "@fluentui/react-components";
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { useStores } from "../state/context.tsx";
import styles from "./log.module.css";

interface LogToolsProps {
  readonly wrap: boolean;
  readonly onWrap: (wrap: boolean) => void;
  readonly onGoTo: (line: number) => void;
  readonly onCopy: () => void;
  readonly copies: boolean;
  readonly over: boolean;
}

/** Wrap, follow, go to a line, copy. */
export function LogTools({ wrap, onWrap, onGoTo, onCopy, copies, over }: LogToolsProps) {
  const { t } = useTranslation();
  const { logs } = useStores();
  const following = useStore(logs.store, (state) => state.following);
  const counted = useStore(logs.store, (state) => state.counted);
  return (
    <div className={styles.tools}>
      {copies && (
        <Button size="small" onClick={onCopy}>
          {t("run.log.copy")}
        </Button>
      )}
      {counted && <GoTo onGoTo={onGoTo} />}
      <Checkbox
        size="medium"
        label={t("run.log.wrap")}
        checked={wrap}
        onChange={(_, data) => onWrap(data.checked === true)}
      />
      {!over && (
        <Checkbox
          size="medium"
          label={t("run.log.follow")}
          checked={following}
          onChange={(_, data) => logs.setFollowing(data.checked === true)}
        />
      )}
    </div>
  );
}

function GoTo({ onGoTo }: { readonly onGoTo: (line: number) => void }) {
  const { t } = useTranslation();
  const id = useId();
  const [typed, setTyped] = useState("");
  return (
    <form
      className={styles.tool}
      onSubmit={(event) => {
        event.preventDefault();
        // Full-width digits are digits (operator-ux §5.1).
        const line = Number(typed.normalize("NFKC").replaceAll(",", ""));
        if (Number.isInteger(line) && line > 0) onGoTo(line - 1);
      }}
    >
      <label htmlFor={id}>{t("run.log.goTo")}</label>
      <Input
        id={id}
        size="small"
        className={styles.goTo}
        inputMode="numeric"
        value={typed}
        onChange={(_, data) => setTyped(data.value)}
      />
    </form>
  );
}
