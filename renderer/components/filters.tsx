import { Input, Select } from "@fluentui/react-components";
import { type ChangeEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { useStores } from "../state/context.tsx";
import { markedText } from "../text/marks.ts";
import styles from "./filters.module.css";

interface NetworkChoiceProps {
  readonly networkId: string | undefined;
  readonly onChoose: (networkId: string | undefined) => void;
}

/** One of the known networks, or all. */
export function NetworkChoice({ networkId, onChoose }: NetworkChoiceProps) {
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

/** One value of several, or all. */
export function Choice({ label, value, options, onChoose }: ChoiceProps) {
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

interface TextFilterProps {
  readonly label: string;
  readonly hint: string;
  readonly text: string;
  readonly onText: (text: string) => void;
}

/** Text that is looked for as it is typed; not while an IME still composes it (operator-ux §5.1). */
export function TextFilter({ label, hint, text, onText }: TextFilterProps) {
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
    <Labelled label={label}>
      {(id) => (
        <Input
          id={id}
          size="small"
          type="search"
          className={styles.text ?? ""}
          maxLength={200}
          placeholder={hint}
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

/** A field of a filter beside its label. */
export function Labelled(props: { readonly label: string; readonly children: (id: string) => ReactNode }) {
  const id = useId();
  return (
    <span className={styles.filter}>
      <label htmlFor={id}>{props.label}</label>
      {props.children(id)}
    </span>
  );
}
