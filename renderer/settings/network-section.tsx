import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import page from "../components/page.module.css";
import { guidanceOf } from "../components/problem.tsx";
import { cell, Table } from "../components/table.tsx";
import { Absent, ForeignText } from "../components/text.tsx";
import { useStores } from "../state/context.tsx";
import { shownSettings } from "../state/settings.ts";
import looks from "./check.module.css";
import { LinesField, TextField } from "./fields.tsx";
import styles from "./settings.module.css";

/** ネットワーク: what may be started here, which hosts share the work, and when things are due. */
export function NetworkSection() {
  const { t } = useTranslation();
  const { settings } = useStores();
  const shown = useStore(settings.store, shownSettings);
  const host = useStore(settings.store, (state) => state.view.value?.host ?? "");
  if (shown === null) return null;
  return (
    <>
      <section className={page.section} aria-labelledby="allowed">
        <h2 className={page.heading} id="allowed">
          {t("settings.networks.allowed")}
        </h2>
        <p className={styles.hint}>{t("settings.networks.allowedHint")}</p>
        <AllowedNetworks />
      </section>
      <div className={styles.form}>
        <LinesField
          path="hosts"
          label={t("settings.networks.hosts")}
          hint={t("settings.networks.hostsHint", { host })}
          value={shown.hosts}
          change={(hosts) => settings.edit((before) => ({ ...before, hosts }))}
        />
        <TextField
          path="schedulesPath"
          label={t("settings.networks.schedules")}
          hint={t("settings.networks.schedulesHint")}
          value={shown.schedulesPath ?? ""}
          change={(value) =>
            settings.edit((before) => ({ ...before, schedulesPath: value === "" ? null : value }))
          }
          mono
        />
      </div>
    </>
  );
}

function AllowedNetworks() {
  const { t } = useTranslation();
  const networks = useStore(useStores().workspace.store, (state) => state.networks.value) ?? [];
  if (networks.length === 0) return <p className={page.empty}>{t("settings.networks.empty")}</p>;
  const columns = [
    { key: "network", label: t("settings.networks.network") },
    { key: "state", label: t("settings.networks.state") },
    { key: "naming", label: t("settings.networks.naming") },
    { key: "start", label: t("settings.networks.appStart") },
    { key: "nodes", label: t("settings.networks.nodes"), align: "right" as const },
  ];
  return (
    <Table caption={t("settings.networks.caption")} columns={columns}>
      {networks.map(({ networkId, naming, nodes, appStart, problems: [problem] }) => (
        <tr key={networkId}>
          <td className={cell.mono}>
            <ForeignText text={networkId} id />
          </td>
          <td>
            <span className={looks.result} data-result={problem === undefined ? "confirmed" : "person"}>
              <span aria-hidden="true">{problem === undefined ? "✓" : "!"}</span>
              {t(problem === undefined ? "settings.networks.usable" : "settings.networks.broken")}
            </span>
            {problem !== undefined && (
              <span className={cell.sub}>
                {guidanceOf(problem, t).cause} {problem.code}
              </span>
            )}
          </td>
          <td>
            {naming === null ? (
              <Absent />
            ) : (
              t(
                naming === "scheduled"
                  ? "settings.networks.namingScheduled"
                  : "settings.networks.namingExplicit",
              )
            )}
          </td>
          <td>{t(appStart ? "settings.networks.yes" : "settings.networks.no")}</td>
          <td className={cell.number}>{nodes.length}</td>
        </tr>
      ))}
    </Table>
  );
}
