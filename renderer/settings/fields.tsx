import { Field, Input, Select, Textarea } from "@fluentui/react-components";
import { type ReactElement, useState } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { useStores } from "../state/context.tsx";
import { faultAt } from "./faults.ts";
import styles from "./settings.module.css";
import { useFaults } from "./use-faults.ts";

interface FieldProps {
  /** Place in the file, as its faults name it. */
  readonly path: string;
  readonly label: string;
  readonly hint?: string;
  readonly required?: boolean;
}

/** The fault of a field in words; of an empty one only once saving was tried, or a new form would be all red. */
export function useFault(path: string, empty: boolean): string | undefined {
  const { t } = useTranslation();
  const attempted = useStore(useStores().settings.store, (state) => state.attempted);
  const found = faultAt(useFaults(), path);
  if (found === null || (empty && !attempted)) return undefined;
  return t(`settings.fault.${found.fault}`);
}

export function useMayEdit(): boolean {
  return useStore(
    useStores().settings.store,
    ({ view }) => view.value?.may.settings === true && view.value.readOnly === null,
  );
}

function Framed({
  path,
  label,
  hint,
  required,
  empty,
  children,
}: FieldProps & { readonly empty: boolean; readonly children: ReactElement }) {
  const fault = useFault(path, empty);
  return (
    <Field
      label={label}
      {...(hint !== undefined && { hint })}
      required={required === true}
      validationState={fault === undefined ? "none" : "error"}
      validationMessage={fault}
    >
      {children}
    </Field>
  );
}

interface TextProps extends FieldProps {
  readonly value: string;
  readonly change: (value: string) => void;
  readonly mono?: boolean;
}

export function TextField({ value, change, mono, ...field }: TextProps) {
  const readOnly = !useMayEdit();
  return (
    <Framed {...field} empty={value.trim() === ""}>
      <Input
        value={value}
        readOnly={readOnly}
        autoComplete="off"
        spellCheck={false}
        className={styles.wide}
        input={{ className: mono === true ? styles.mono : styles.wide }}
        onChange={(_, data) => change(data.value)}
      />
    </Framed>
  );
}

interface NumberProps extends FieldProps {
  readonly value: number | null;
  /** Null for an empty field where that may be; else not a number, which the schema refuses. */
  readonly change: (value: number | null) => void;
  readonly optional?: boolean;
  readonly bare?: boolean;
}

const textOf = (value: number | null): string => (value === null || Number.isNaN(value) ? "" : String(value));

/** A whole number; full-width digits of an IME count, and what is no number stays as it was typed. */
export function NumberField({ value, change, optional, bare, ...field }: NumberProps) {
  const readOnly = !useMayEdit();
  const [typed, setTyped] = useState(textOf(value));
  // Undone or read again: what was typed is not what stands there any more.
  const [seen, setSeen] = useState(value);
  if (!Object.is(seen, value)) {
    setSeen(value);
    if (!Number.isNaN(value)) setTyped(textOf(value));
  }
  const take = (text: string): void => {
    setTyped(text);
    const digits = text.normalize("NFKC").replaceAll(",", "").trim();
    if (digits === "" && optional === true) change(null);
    else change(/^\d{1,15}$/.test(digits) ? Number(digits) : Number.NaN);
  };
  const fault = useFault(field.path, typed.trim() === "");
  const input = (
    <Input
      value={typed}
      readOnly={readOnly}
      inputMode="numeric"
      autoComplete="off"
      className={styles.number}
      input={{ className: styles.number }}
      {...(bare === true && { "aria-label": field.label, "aria-invalid": fault !== undefined })}
      onChange={(_, data) => take(data.value)}
    />
  );
  if (bare !== true) {
    return (
      <Framed {...field} empty={typed.trim() === ""}>
        {input}
      </Framed>
    );
  }
  return (
    <Field validationState={fault === undefined ? "none" : "error"} validationMessage={fault}>
      {input}
    </Field>
  );
}

interface LinesProps extends FieldProps {
  readonly value: readonly string[];
  readonly change: (value: readonly string[]) => void;
}

/** A list, one entry a line; empty lines are none. */
export function LinesField({ value, change, ...field }: LinesProps) {
  const readOnly = !useMayEdit();
  const [typed, setTyped] = useState(value.join("\n"));
  const linesOf = (text: string): readonly string[] =>
    text.split(/\r?\n/).filter((line) => line.trim() !== "");
  const own = linesOf(typed);
  const same = own.length === value.length && own.every((line, index) => line === value[index]);
  return (
    <Framed {...field} empty={false}>
      <Textarea
        value={same ? typed : value.join("\n")}
        readOnly={readOnly}
        rows={3}
        spellCheck={false}
        textarea={{ className: styles.mono }}
        onChange={(_, data) => {
          setTyped(data.value);
          change(linesOf(data.value));
        }}
      />
    </Framed>
  );
}

interface ChoiceProps<T extends string> extends FieldProps {
  readonly value: T;
  readonly choices: readonly { readonly value: T; readonly label: string }[];
  readonly change: (value: T) => void;
}

export function ChoiceField<T extends string>({ value, choices, change, ...field }: ChoiceProps<T>) {
  const disabled = !useMayEdit();
  const choose = (text: string): void => {
    const found = choices.find((choice) => choice.value === text);
    if (found !== undefined) change(found.value);
  };
  return (
    <Framed {...field} empty={false}>
      <Select value={value} disabled={disabled} onChange={(_, data) => choose(data.value)}>
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.label}
          </option>
        ))}
      </Select>
    </Framed>
  );
}
