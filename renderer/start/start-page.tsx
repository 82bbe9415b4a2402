import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { goTo } from "../app/use-route.ts";
import page from "../components/page.module.css";
import { useEscape } from "../components/use-escape.ts";
import { useStores } from "../state/context.tsx";
import { PreviewPanel } from "./preview-panel.tsx";
import styles from "./start.module.css";
import { StartForm } from "./start-form.tsx";
import { StartProgress } from "./start-progress.tsx";

/** Run の起動: choose, see what will happen, confirm, and stay until the outcome is known (operator-ux D6–D8). */
export function StartPage({ networkId }: { readonly networkId: string | undefined }) {
  const { t } = useTranslation();
  const { start, workspace } = useStores();
  const sent = useStore(start.store, (state) => state.sent);
  const networks = useStore(workspace.store, (state) => state.networks.value);
  useEffect(() => {
    const network = networks?.find((each) => each.networkId === networkId);
    if (network === undefined || start.store.getState().sent !== null) return;
    void start.edit({ networkId: network.networkId, naming: network.naming ?? "scheduled" });
  }, [networks, networkId, start]);
  useEffect(() => () => start.leave(), [start]);
  useEscape(() => goTo({ page: "runs", filter: {} }));
  return (
    <div className={page.page}>
      <h1 className={page.title}>{t("start.title")}</h1>
      {sent === null ? (
        <>
          <p className={page.lead}>{t("start.lead")}</p>
          <div className={styles.columns}>
            <StartForm />
            <PreviewPanel />
          </div>
        </>
      ) : (
        <StartProgress />
      )}
    </div>
  );
}
