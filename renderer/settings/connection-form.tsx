import { Button } from "@fluentui/react-components";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { type ConnectionSettings, PROXY_MODES } from "../../shared/api/index.ts";
import { useStores } from "../state/context.tsx";
import { markedText } from "../text/marks.ts";
import { AppTokens } from "./app-tokens.tsx";
import { ChoiceField, LinesField, NumberField, TextField, useMayEdit } from "./fields.tsx";
import styles from "./settings.module.css";

interface ConnectionProps {
  readonly index: number;
  readonly connection: ConnectionSettings;
}
type Change = (change: Partial<ConnectionSettings>) => void;

/** Everything a connection is made of, each field with its fault as one types. */
export function ConnectionForm({
  index,
  connection,
  remove,
}: ConnectionProps & { readonly remove: () => void }) {
  const { t } = useTranslation();
  const { settings } = useStores();
  const mayEdit = useMayEdit();
  const set: Change = (change) =>
    settings.edit((before) => ({
      ...before,
      connections: before.connections.map((each) =>
        each.id === connection.id ? { ...each, ...change } : each,
      ),
    }));
  const parts = { index, connection, set };
  return (
    <section className={styles.form} aria-label={markedText(connection.name)}>
      <Target {...parts} />
      <Part title={t("settings.connection.apps")}>
        <AppTokens {...parts} />
      </Part>
      <RunnerPart {...parts} />
      <LinePart {...parts} />
      <Part title={t("settings.connection.files")}>
        <TextField
          path={`connections.${index}.allowListPath`}
          label={t("settings.connection.allowList")}
          hint={t("settings.connection.optional")}
          value={connection.allowListPath ?? ""}
          change={(value) => set({ allowListPath: value === "" ? null : value })}
          mono
        />
      </Part>
      {mayEdit && (
        <div className={styles.remove}>
          <Button onClick={remove}>{t("settings.connection.remove")}</Button>
          <span className={styles.hint}>{t("settings.connection.removeHint")}</span>
        </div>
      )}
    </section>
  );
}

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <fieldset className={styles.part}>
      <legend className={styles.legend}>{title}</legend>
      {children}
    </fieldset>
  );
}

function Target({ index, connection, set }: ConnectionProps & { readonly set: Change }) {
  const { t } = useTranslation();
  const path = `connections.${index}`;
  return (
    <Part title={t("settings.connection.basics")}>
      <div className={styles.pair}>
        <TextField
          path={`${path}.name`}
          label={t("settings.connection.name")}
          required
          value={connection.name}
          change={(name) => set({ name })}
        />
        <TextField
          path={`${path}.profile`}
          label={t("settings.connection.profile")}
          hint={t("settings.connection.profileHint")}
          required
          value={connection.profile}
          change={(profile) => set({ profile })}
          mono
        />
      </div>
      <TextField
        path={`${path}.baseUrl`}
        label={t("settings.connection.baseUrl")}
        hint={t("settings.connection.baseUrlHint")}
        required
        value={connection.baseUrl}
        change={(baseUrl) => set({ baseUrl })}
        mono
      />
      <NumberField
        path={`${path}.guestSpaceId`}
        label={t("settings.connection.guestSpace")}
        hint={t("settings.connection.guestSpaceHint")}
        value={connection.guestSpaceId}
        change={(guestSpaceId) => set({ guestSpaceId })}
        optional
      />
    </Part>
  );
}

function RunnerPart({ index, connection, set }: ConnectionProps & { readonly set: Change }) {
  const { t } = useTranslation();
  const path = `connections.${index}.runner`;
  const { runner } = connection;
  const text = (key: "bin" | "configPath" | "workDir") => (
    <TextField
      path={`${path}.${key}`}
      label={t(`settings.connection.${key}`)}
      required
      value={runner[key]}
      change={(value) => set({ runner: { ...runner, [key]: value } })}
      mono
    />
  );
  return (
    <Part title={t("settings.connection.runner")}>
      {text("bin")}
      <LinesField
        path={`${path}.binArgs`}
        label={t("settings.connection.binArgs")}
        value={runner.binArgs}
        change={(binArgs) => set({ runner: { ...runner, binArgs } })}
      />
      {text("configPath")}
      {text("workDir")}
    </Part>
  );
}

function LinePart({ index, connection, set }: ConnectionProps & { readonly set: Change }) {
  const { t } = useTranslation();
  const path = `connections.${index}`;
  const { proxy, caFile } = connection;
  return (
    <Part title={t("settings.connection.line")}>
      <div className={styles.pair}>
        <ChoiceField
          path={`${path}.proxy.mode`}
          label={t("settings.connection.proxy")}
          value={proxy.mode}
          choices={PROXY_MODES.map((value) => ({ value, label: t(`settings.proxyMode.${value}`) }))}
          change={(mode) => set({ proxy: mode === "manual" ? { mode, url: "" } : { mode } })}
        />
        {proxy.mode === "manual" && (
          <TextField
            path={`${path}.proxy.url`}
            label={t("settings.connection.proxyUrl")}
            required
            value={proxy.url}
            change={(url) => set({ proxy: { mode: "manual", url } })}
            mono
          />
        )}
      </div>
      <TextField
        path={`${path}.caFile`}
        label={t("settings.connection.caFile")}
        hint={t("settings.connection.optional")}
        value={caFile ?? ""}
        change={(value) => set({ caFile: value === "" ? null : value })}
        mono
      />
    </Part>
  );
}
