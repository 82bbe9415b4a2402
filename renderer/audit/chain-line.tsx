import { Button } from "@fluentui/react-components";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import note from "../components/note.module.css";
import page from "../components/page.module.css";
import { ProblemPanel } from "../components/problem.tsx";
import { CopyId, useSecondText } from "../components/text.tsx";
import { useLanguage, useStores } from "../state/context.tsx";
import styles from "./audit.module.css";

/** Whether this console's own journal is whole, line by line (operator-ux §2.5, hash chain). */
export function ChainLine() {
  const { t } = useTranslation();
  const { audit } = useStores();
  const { value, problem, phase } = useStore(audit.store, (state) => state.chain);
  const secondText = useSecondText();
  const count = new Intl.NumberFormat(useLanguage());
  useEffect(() => {
    void audit.checkChain();
  }, [audit]);
  const told = value?.problem ?? problem;
  return (
    <section
      className={`${note.note} ${styles.chain}`}
      aria-label={t("audit.chain.title")}
      data-chain={value?.state}
    >
      <strong>{t("audit.chain.title")}</strong>
      {value && (
        <>
          <span className={styles.chainState}>
            {t(`audit.chain.state.${value.state}`, {
              lines: count.format(value.lines),
              line: value.brokenAt ?? "",
            })}
          </span>
          {value.head !== null && (
            <CopyId id={value.head} short={`${value.head.slice(0, 16)}…`} what={t("audit.chain.head")} />
          )}
          <span className={page.quiet}>
            {t("audit.chain.checkedAt", { time: secondText(value.checkedAt) })}
          </span>
        </>
      )}
      <Button
        size="small"
        appearance="subtle"
        onClick={() => void audit.checkChain()}
        disabledFocusable={phase === "loading"}
      >
        {t("audit.chain.check")}
      </Button>
      {told && <ProblemPanel problem={told} />}
    </section>
  );
}
