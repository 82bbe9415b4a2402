import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { APP_SLOTS, type AppSlot, type ConnectionSettings } from "../../shared/api/index.ts";
import { Table } from "../components/table.tsx";
import { ForeignText } from "../components/text.tsx";
import { useStores } from "../state/context.tsx";
import { NumberField } from "./fields.tsx";
import styles from "./settings.module.css";
import { TokenCell } from "./token-cell.tsx";

interface AppTokensProps {
  readonly index: number;
  readonly connection: ConnectionSettings;
  readonly set: (change: Partial<ConnectionSettings>) => void;
}

/** Each app with its id and what may be known of its token; below, the tokens of the runner. */
export function AppTokens({ index, connection, set }: AppTokensProps) {
  const { t } = useTranslation();
  const view = useStore(useStores().settings.store, (state) => state.view.value);
  const tokens = view?.tokens.filter(({ connectionId }) => connectionId === connection.id) ?? [];
  const saved = view?.settings.connections.find(({ id }) => id === connection.id);
  const ofRunner = tokens.filter(({ slot }) => slot.startsWith("runner/"));
  const setApp = (slot: AppSlot, value: number | null): void => {
    const { apps } = connection;
    set({
      apps: slot === "request" ? { ...apps, request: value } : { ...apps, [slot]: value ?? Number.NaN },
    });
  };
  const columns = [
    { key: "app", label: t("settings.connection.app") },
    { key: "id", label: t("settings.connection.appId") },
    { key: "token", label: t("settings.connection.token") },
  ];
  return (
    <>
      <Table caption={t("settings.token.caption")} columns={columns}>
        {APP_SLOTS.map((slot) => (
          <tr key={slot} data-slot={slot}>
            <th scope="row" className={styles.rowHead}>
              {t(`settings.slot.${slot}`)}
            </th>
            <td>
              <NumberField
                bare
                path={`connections.${index}.apps.${slot}`}
                label={`${t(`settings.slot.${slot}`)}: ${t("settings.connection.appId")}`}
                value={connection.apps[slot]}
                change={(value) => setApp(slot, value)}
                optional={slot === "request"}
              />
            </td>
            <td>
              <TokenCell
                connectionId={connection.id}
                slot={slot}
                name={t(`settings.slot.${slot}`)}
                token={tokens.find((token) => token.slot === slot) ?? null}
                waits={saved === undefined || saved.apps[slot] === null}
              />
            </td>
          </tr>
        ))}
        {ofRunner.map((token) => (
          <tr key={token.slot} data-slot={token.slot}>
            <th scope="row" className={styles.rowHead} colSpan={2}>
              <ForeignText text={t("settings.slot.runner", { name: token.slot.slice(7) })} />
            </th>
            <td>
              <TokenCell
                connectionId={connection.id}
                slot={token.slot}
                name={t("settings.slot.runner", { name: token.slot.slice(7) })}
                token={token}
                waits={false}
              />
            </td>
          </tr>
        ))}
      </Table>
      <p className={styles.hint}>
        {saved === undefined ? t("settings.token.saveFirst") : t("settings.token.once")}
      </p>
      {view?.secretStore === "unavailable" && (
        <p className={styles.warn} role="status">
          {t("settings.token.unavailable")}
        </p>
      )}
    </>
  );
}
