import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { Modal } from "../../components/modal.tsx";
import { rowToFocus } from "../../components/row-focus.ts";
import { ForeignText } from "../../components/text.tsx";
import { useStores } from "../../state/context.tsx";
import { useEntries } from "./entries.ts";
import styles from "./palette.module.css";
import { type Entry, rankEntries } from "./rank.ts";

/** Entries a page key moves by. */
const PAGE = 8;

/** Ctrl+K: Runs, business keys, networks, nodes, pages and commands by a few letters (operator-ux §1.1). */
export function Palette() {
  const { palette } = useStores();
  const open = useStore(palette.store, (state) => state.open);
  const { t } = useTranslation();
  if (!open) return null;
  return (
    <Modal label={t("frame.palette.label")} onClose={palette.close}>
      <Finder />
    </Modal>
  );
}

function Finder() {
  const { t } = useTranslation();
  const { palette } = useStores();
  const { text, searching } = useStore(palette.store);
  const entries = useEntries();
  const shown = useMemo(() => rankEntries(entries, text), [entries, text]);
  const [at, setAt] = useState(0);
  const list = useId();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  const current = Math.min(at, Math.max(0, shown.length - 1));
  const choose = (entry: Entry | undefined): void => {
    if (entry === undefined) return;
    palette.close();
    entry.run();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Enter") {
      event.preventDefault();
      choose(shown[current]);
      return;
    }
    const next = /^(Home|End)$/.test(event.key) ? null : rowToFocus(event.key, current, shown.length, PAGE);
    if (next === null) return;
    event.preventDefault();
    setAt(next);
  };
  return (
    <div className={styles.finder}>
      <input
        ref={input}
        className={styles.input}
        role="combobox"
        aria-label={t("frame.palette.label")}
        aria-expanded="true"
        aria-controls={list}
        aria-autocomplete="list"
        aria-activedescendant={shown.length > 0 ? `${list}-${current}` : undefined}
        placeholder={t("frame.palette.placeholder")}
        autoComplete="off"
        spellCheck={false}
        maxLength={200}
        value={text}
        onKeyDown={onKeyDown}
        onChange={(event) => {
          setAt(0);
          void palette.type(event.target.value);
        }}
      />
      <div id={list} className={styles.list} role="listbox" aria-label={t("frame.palette.results")}>
        {shown.map((entry, index) => (
          <Option
            key={entry.id}
            id={`${list}-${index}`}
            entry={entry}
            selected={index === current}
            onChoose={() => choose(entry)}
          />
        ))}
      </div>
      <p className={styles.foot} role="status">
        {shown.length > 0 || searching ? t("frame.palette.keys") : t("frame.palette.nothing")}
      </p>
    </div>
  );
}

interface OptionProps {
  readonly id: string;
  readonly entry: Entry;
  readonly selected: boolean;
  readonly onChoose: () => void;
}

function Option({ id, entry, selected, onChoose }: OptionProps) {
  const { t } = useTranslation();
  const row = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (selected) row.current?.scrollIntoView?.({ block: "nearest" });
  }, [selected]);
  return (
    // The keys are the field's: the option itself never has the focus.
    <div
      ref={row}
      id={id}
      className={styles.option}
      role="option"
      tabIndex={-1}
      aria-selected={selected}
      onPointerDown={(event) => {
        event.preventDefault();
        onChoose();
      }}
    >
      <span className={styles.kind}>{t(`frame.palette.kind.${entry.kind}`)}</span>
      <span className={styles.label}>
        <ForeignText text={entry.label} id />
      </span>
      {entry.detail !== undefined && (
        <span className={styles.detail}>
          <ForeignText text={entry.detail} />
        </span>
      )}
    </div>
  );
}
