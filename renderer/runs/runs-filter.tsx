import { Input, Select } from "@fluentui/react-components";
import { type ChangeEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { ACTIVITIES, RUN_STATUSES } from "../../shared/domain/model.ts";
import { goTo, replaceRoute } from "../app/use-route.ts";
import { useStores } from "../state/context.tsx";
import { markedText } from "../text/marks.ts";
import { changedFilter, RUN_VIEWS, type RunFilter, type RunView } from "./run-filter.ts";
import styles from "./runs.module.css";

/** What the list shows; it lives in the address, so that a filtered list can be passed on. */
export function RunsFilter({ filter }: { readonly filter: RunFilter }) {
  const { t } = useTranslation();
  const set = (change: Parameters<typeof changedFilter>[1]): void =>
    goTo({ page: "runs", filter: changedFilter(filter, change) });
  const grid = filter.view === "grid";
  return (
    <search className={styles.filters} aria-label={t("runs.filter.label")}>
      <ViewChoice
        view={filter.view ?? "list"}
        onChoose={(view) => set({ view: view === "list" ? undefined : view })}
      />
      <NetworkFilter networkId={filter.networkId} onChoose={(networkId) => set({ networkId })} />
      {!grid && (
        <>
          <Choice
            label={t("runs.filter.status")}
            value={filter.status}
            options={RUN_STATUSES.map((status) => [status, t(`status.run.${status}`)])}
            onChoose={(value) => set({ status: RUN_STATUSES.find((each) => each === value) })}
          />
          <Choice
            label={t("runs.filter.activity")}
            value={filter.activity}
            options={ACTIVITIES.map((activity) => [activity, t(`activity.name.${activity}`)])}
            onChoose={(value) => set({ activity: ACTIVITIES.find((each) => each === value) })}
          />
          <TextFilter
            text={filter.text ?? ""}
            onText={(text) => replaceRoute({ page: "runs", filter: changedFilter(filter, { text }) })}
          />
          <Day label={t("runs.filter.from")} day={filter.from} onDay={(from) => set({ from })} />
          <Day label={t("runs.filter.to")} day={filter.to} onDay={(to) => set({ to })} />
        </>
      )}
    </search>
  );
}

function ViewChoice({
  view,
  onChoose,
}: {
  readonly view: RunView;
  readonly onChoose: (view: RunView) => void;
}) {
  const { t } = useTranslation();
  return (
    <fieldset className={styles.views}>
      <legend className={styles.hidden}>{t("runs.view.label")}</legend>
      {RUN_VIEWS.map((each) => (
        <label key={each} className={styles.view} data-chosen={each === view}>
          <input
            type="radio"
            name="runs-view"
            value={each}
            checked={each === view}
            onChange={() => onChoose(each)}
          />
          {t(`runs.view.${each}`)}
        </label>
      ))}
    </fieldset>
  );
}

interface NetworkFilterProps {
  readonly networkId: string | undefined;
  readonly onChoose: (networkId: string | undefined) => void;
}

function NetworkFilter({ networkId, onChoose }: NetworkFilterProps) {
  const { t } = useTranslation();
  const networks = useStore(useStores().workspace.store, (state) => state.networks.value) ?? [];
  const known = networks.map((network) => network.networkId);
  // A network that may not be started here has Runs nevertheless: an address that names it keeps it.
  const options = networkId === undefined || known.includes(networkId) ? known : [networkId, ...known];
  return (
    <Choice
      label={t("runs.filter.network")}
      value={networkId}
      options={options.map((each) => [each, each])}
      onChoose={(value) => onChoose(value || undefined)}
    />
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly options: readonly (readonly [value: string, text: string])[];
  readonly onChoose: (value: string) => void;
}

function Choice({ label, value, options, onChoose }: ChoiceProps) {
  const { t } = useTranslation();
  return (
    <Labelled label={label}>
      {(id) => (
        <Select id={id} size="small" value={value ?? ""} onChange={(_, data) => onChoose(data.value)}>
          <option value="">{t("runs.filter.all")}</option>
          {options.map(([each, text]) => (
            <option key={each} value={each}>
              {markedText(text, true)}
            </option>
          ))}
        </Select>
      )}
    </Labelled>
  );
}

/** Text that is looked for as it is typed; not while an IME still composes it (operator-ux §5.1). */
function TextFilter({ text, onText }: { readonly text: string; readonly onText: (text: string) => void }) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState(text);
  const composing = useRef(false);
  const told = useRef(text);
  useEffect(() => {
    // The address changed by other means than this field.
    if (text !== told.current) setTyped(text);
    told.current = text;
  }, [text]);
  const tell = (value: string): void => {
    told.current = value;
    onText(value);
  };
  const onChange = (event: ChangeEvent<HTMLInputElement>): void => {
    setTyped(event.target.value);
    if (!composing.current) tell(event.target.value);
  };
  return (
    <Labelled label={t("runs.filter.text")}>
      {(id) => (
        <Input
          id={id}
          size="small"
          type="search"
          maxLength={200}
          placeholder={t("runs.filter.textHint")}
          value={typed}
          onChange={onChange}
          onCompositionStart={() => {
            composing.current = true;
          }}
          onCompositionEnd={(event) => {
            composing.current = false;
            tell(event.currentTarget.value);
          }}
        />
      )}
    </Labelled>
  );
}

interface DayProps {
  readonly label: string;
  readonly day: string | undefined;
  readonly onDay: (day: string | undefined) => void;
}

function Day({ label, day, onDay }: DayProps) {
  return (
    <Labelled label={label}>
      {(id) => (
        <Input
          id={id}
          size="small"
          type="date"
          value={day ?? ""}
          onChange={(_, { value }) => onDay(value || undefined)}
        />
      )}
    </Labelled>
  );
}

function Labelled(props: { readonly label: string; readonly children: (id: string) => ReactNode }) {
  const id = useId();
  return (
    <span className={styles.filter}>
      <label htmlFor={id}>{props.label}</label>
      {props.children(id)}
    </span>
  );
}
