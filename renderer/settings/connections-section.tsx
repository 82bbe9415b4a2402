import { Button, Radio, RadioGroup } from "@fluentui/react-components";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import type { ConnectionSettings } from "../../shared/api/index.ts";
import page from "../components/page.module.css";
import { ForeignText } from "../components/text.tsx";
import { useStores } from "../state/context.tsx";
import { shownSettings } from "../state/settings.ts";
import { markedText } from "../text/marks.ts";
import { ConnectionForm } from "./connection-form.tsx";
import { useMayEdit } from "./fields.tsx";
import styles from "./settings.module.css";

const EMBEDDED = "";

/** A connection with nothing entered yet; what is not a number is still to be typed. */
function emptyConnection(id: string, name: string): ConnectionSettings {
  const nothing = Number.NaN;
  return {
    id,
    name,
    profile: "",
    baseUrl: "",
    guestSpaceId: null,
    apps: { state: nothing, audit: nothing, request: null, jobLog: nothing },
    runner: { bin: "", binArgs: [], configPath: "", workDir: "" },
    proxy: { mode: "none" },
    caFile: null,
    allowListPath: null,
  };
}

/** 接続: which kintone is used, and what is known of each. */
export function ConnectionsSection() {
  const { t } = useTranslation();
  const { settings } = useStores();
  const shown = useStore(settings.store, shownSettings);
  const [chosen, setChosen] = useState<string | null>(null);
  const mayEdit = useMayEdit();
  if (shown === null) return null;
  const { connections, activeConnection } = shown;
  const edited = chosen ?? activeConnection;
  const index = connections.findIndex(({ id }) => id === edited);
  const current = connections[index];
  const add = (): void => {
    const id = `c-${crypto.randomUUID().slice(0, 8)}`;
    const name = t("settings.connection.newName");
    settings.edit((before) => ({
      ...before,
      connections: [...before.connections, emptyConnection(id, freeName(name, before.connections))],
    }));
    setChosen(id);
  };
  const remove = (id: string): void => {
    settings.edit((before) => ({
      ...before,
      connections: before.connections.filter((each) => each.id !== id),
      activeConnection: before.activeConnection === id ? null : before.activeConnection,
    }));
    setChosen(null);
  };
  return (
    <div className={styles.columns}>
      <section className={styles.list} aria-labelledby="connections">
        <h2 className={page.heading} id="connections">
          {t("settings.connection.use")}
        </h2>
        <ConnectionChoice edited={current?.id ?? null} edit={setChosen} />
        {mayEdit && (
          <div>
            <Button onClick={add}>{t("settings.connection.add")}</Button>
          </div>
        )}
        <p className={styles.hint}>{t("settings.nextStart")}</p>
      </section>
      {current && (
        <ConnectionForm
          key={current.id}
          index={index}
          connection={current}
          remove={() => remove(current.id)}
        />
      )}
    </div>
  );
}

function freeName(name: string, taken: readonly ConnectionSettings[]): string {
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? name : `${name} ${number}`;
    if (taken.every((each) => each.name !== candidate)) return candidate;
  }
}

interface ChoiceProps {
  readonly edited: string | null;
  readonly edit: (id: string) => void;
}

function ConnectionChoice({ edited, edit }: ChoiceProps) {
  const { t } = useTranslation();
  const { settings } = useStores();
  const shown = useStore(settings.store, shownSettings);
  const opened = useStore(settings.store, (state) => state.view.value?.opened ?? null);
  const mayEdit = useMayEdit();
  if (shown === null) return null;
  const { connections, activeConnection } = shown;
  const openId = opened?.source === "settings" ? opened.connectionId : null;
  const onEmbedded = opened?.source === "embedded" || opened?.source === "fallback";
  return (
    <RadioGroup
      aria-labelledby="connections"
      value={activeConnection ?? EMBEDDED}
      disabled={!mayEdit}
      onChange={(_, { value }) =>
        settings.edit((before) => ({ ...before, activeConnection: value === EMBEDDED ? null : value }))
      }
    >
      <div className={styles.entry}>
        <Radio value={EMBEDDED} label={t("settings.connection.embedded")} />
        <span className={styles.entryText}>
          {onEmbedded && <span className={styles.tag}>{t("settings.connection.opened")}</span>}
          {t("settings.connection.embeddedHint")}
        </span>
      </div>
      {connections.map(({ id, name, baseUrl }) => (
        <div key={id} className={styles.entry} data-edited={id === edited}>
          <Radio value={id} label={<ForeignText text={name} />} />
          <Button
            size="small"
            appearance="subtle"
            aria-pressed={id === edited}
            aria-label={`${t("settings.connection.edit")}: ${markedText(name)}`}
            onClick={() => edit(id)}
          >
            {t("settings.connection.edit")}
          </Button>
          <span className={styles.entryText}>
            {id === openId && <span className={styles.tag}>{t("settings.connection.opened")}</span>}
            <ForeignText text={baseUrl} />
          </span>
        </div>
      ))}
    </RadioGroup>
  );
}
