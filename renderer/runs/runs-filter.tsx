import { Select } from "@fluentui/react-components";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { RUN_STATUSES } from "../../shared/domain/model.ts";
import type { RunFilter } from "../app/routes.ts";
import { goTo } from "../app/use-route.ts";
import { useStores } from "../state/context.tsx";
import styles from "./runs.module.css";

/** What the list shows; it lives in the address, so that a filtered list can be passed on. */
export function RunsFilter({ filter }: { readonly filter: RunFilter }) {
  const { t } = useTranslation();
  const networks = useStore(useStores().workspace.store, (state) => state.networks.value) ?? [];
  const networkId = useId();
  const statusId = useId();
  const set = (change: { networkId?: string; status?: string }): void => {
    const network = change.networkId ?? filter.networkId ?? "";
    const wanted = change.status ?? filter.status ?? "";
    const status = RUN_STATUSES.find((each) => each === wanted);
    goTo({ page: "runs", filter: { ...(network && { networkId: network }), ...(status && { status }) } });
  };
  return (
    <search className={styles.filters} aria-label={t("runs.filter.label")}>
      <span className={styles.filter}>
        <label htmlFor={networkId}>{t("runs.filter.network")}</label>
        <Select
          id={networkId}
          size="small"
          value={filter.networkId ?? ""}
          onChange={(_, { value }) => set({ networkId: value })}
        >
          <option value="">{t("runs.filter.all")}</option>
          {networks.map((network) => (
            <option key={network.networkId}>{network.networkId}</option>
          ))}
        </Select>
      </span>
      <span className={styles.filter}>
        <label htmlFor={statusId}>{t("runs.filter.status")}</label>
        <Select
          id={statusId}
          size="small"
          value={filter.status ?? ""}
          onChange={(_, { value }) => set({ status: value })}
        >
          <option value="">{t("runs.filter.all")}</option>
          {RUN_STATUSES.map((status) => (
            <option key={status} value={status}>
              {t(`status.run.${status}`)}
            </option>
          ))}
        </Select>
      </span>
    </search>
  );
}
