import { Button } from "@fluentui/react-components";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { DIAGNOSIS } from "../state/bundles.ts";
import { useLanguage, useStores } from "../state/context.tsx";
import page from "./page.module.css";
import { ProblemPanel } from "./problem.tsx";
import styles from "./save-bundle.module.css";

interface SaveBundleProps {
  /** The Run whose evidence is saved; without one the diagnosis of the program. */
  readonly runId?: string;
}

/** 証跡を保存する / 診断一式を保存する, with what became of it (operator-ux §1.2, electron-desktop G5). */
export function SaveBundle({ runId }: SaveBundleProps) {
  const { t } = useTranslation();
  const { bundles } = useStores();
  const state = useStore(bundles.store);
  const count = new Intl.NumberFormat(useLanguage());
  const own = state.about === (runId ?? DIAGNOSIS);
  const kilobytes = count.format(Math.ceil(state.bytes / 1024));
  return (
    <section className={page.section} aria-label={t(runId === undefined ? "bundle.diagnosis" : "bundle.run")}>
      <h2 className={page.heading}>{t("bundle.title")}</h2>
      <p className={styles.quiet}>{t(runId === undefined ? "bundle.diagnosisLead" : "bundle.runLead")}</p>
      <div>
        <Button
          size="small"
          disabledFocusable={state.phase === "busy"}
          onClick={() => void (runId === undefined ? bundles.diagnosis() : bundles.run(runId))}
        >
          {t(runId === undefined ? "bundle.diagnosis" : "bundle.run")}
        </Button>
      </div>
      <div role="status" className={styles.quiet} data-testid="bundle-saved">
        {own && state.phase === "busy" && t("bundle.busy")}
        {own && state.phase === "saved" && t("bundle.saved", { files: state.files, bytes: kilobytes })}
        {own && state.phase === "saved" && state.gaps > 0 && ` ${t("bundle.gaps", { count: state.gaps })}`}
      </div>
      {own && state.problem && <ProblemPanel problem={state.problem} />}
    </section>
  );
}
