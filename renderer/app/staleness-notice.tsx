import { Button } from "@fluentui/react-components";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { ProblemPanel } from "../components/problem.tsx";
import { useLanguage, useStaleness, useStores, useTimeZone } from "../state/context.tsx";
import { minuteText, secondText } from "../text/time.ts";
import styles from "./shell.module.css";

/** Says above every page that its picture is old, and since when; nothing while it is fresh. */
export function StalenessNotice() {
  const { t } = useTranslation();
  const { live, runs } = useStores();
  const staleness = useStaleness();
  const freshness = useStore(live.store, (state) => state.freshness);
  const timeZone = useTimeZone();
  const language = useLanguage();
  if (staleness === "fresh" || staleness === "reading") return <FrozenNotice />;
  const readAt = freshness?.readAt ?? null;
  const date = readAt && minuteText(readAt, timeZone, language).slice(0, -5);
  const time = readAt && `${date}${secondText(readAt, timeZone)}`;
  const word = staleness === "stale" && freshness?.origin === "kept" ? "kept" : staleness;
  return (
    <>
      <FrozenNotice />
      <div className={styles.notice} role="status">
        <strong>{t(`freshness.${word}`)}</strong>
        <span className={styles.noticeText}>
          {time ? t(`freshness.${word}Detail`, { time }) : t("freshness.never")}
        </span>
        {staleness === "stale" && (
          <Button size="small" onClick={() => void runs.refresh()}>
            {t("problem.refresh")}
          </Button>
        )}
      </div>
      {staleness === "stale" && freshness?.problem && (
        <div className={styles.noticeProblem}>
          <ProblemPanel problem={freshness.problem} />
        </div>
      )}
    </>
  );
}

/** Says that the page stands still and how much it holds back (operator-ux U10). */
function FrozenNotice() {
  const { t } = useTranslation();
  const { freeze } = useStores();
  const { frozen, held, more } = useStore(freeze.store);
  if (!frozen) return null;
  return (
    <div className={styles.notice} data-testid="frozen">
      <strong>{t("frame.freeze.title")}</strong>
      <span className={styles.noticeText}>
        {t(more ? "frame.freeze.heldMore" : "frame.freeze.held", { count: held })}
      </span>
      <Button size="small" onClick={freeze.toggle}>
        {t("frame.freeze.resume")}
      </Button>
    </div>
  );
}
