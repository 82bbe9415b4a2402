import { Button, Checkbox, Input, Select } from "@fluentui/react-components";
import { type KeyboardEvent, useId, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { ProblemPanel } from "../components/problem.tsx";
import { useLanguage, useStores } from "../state/context.tsx";
import { HitList } from "./hit-list.tsx";
import { levelsIn } from "./levels.ts";
import styles from "./log.module.css";
import { percentOf } from "./size.ts";

/** The search of the whole log: Enter starts it and steps on, Esc takes it back. */
export function LogSearch() {
  const { t } = useTranslation();
  const { logs } = useStores();
  const id = useId();
  const search = useStore(logs.store, (state) => state.search);
  const [typed, setTyped] = useState("");
  const [matchCase, setMatchCase] = useState(false);
  const submit = (step: 1 | -1): void => {
    const same = typed === search.text && matchCase === search.matchCase && search.phase !== "failed";
    if (same && search.hits.length > 0) logs.step(step);
    else if (!same || search.phase === "stopped") void logs.startSearch(typed, matchCase);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Enter") {
      event.preventDefault();
      submit(event.shiftKey ? -1 : 1);
    }
    if (event.key === "Escape" && (typed !== "" || search.text !== "")) {
      event.preventDefault();
      setTyped("");
      void logs.startSearch("", matchCase);
    }
  };
  return (
    <search className={styles.search} aria-label={t("run.log.search")}>
      <div className={styles.bar}>
        <label htmlFor={id}>{t("run.log.search")}</label>
        <Input
          id={id}
          type="search"
          size="small"
          className={styles.sought}
          value={typed}
          maxLength={200}
          onChange={(_, data) => setTyped(data.value)}
          onKeyDown={onKeyDown}
        />
        <Checkbox
          label={t("run.log.matchCase")}
          checked={matchCase}
          onChange={(_, data) => setMatchCase(data.checked === true)}
        />
        <LevelChoice
          onChoose={(text) => {
            setTyped(text);
            setMatchCase(text !== "");
            void logs.startSearch(text, text !== "");
          }}
        />
        <Steps />
        <SearchState />
      </div>
      {search.problem && <ProblemPanel problem={search.problem} />}
      <HitList />
    </search>
  );
}

/** Where lines carry levels: those of one, as hits. */
function LevelChoice({ onChoose }: { readonly onChoose: (text: string) => void }) {
  const { t } = useTranslation();
  const { logs } = useStores();
  const id = useId();
  const tail = useStore(logs.store, (state) => state.tail);
  const sought = useStore(logs.store, (state) => state.search.text);
  const levels = useMemo(() => levelsIn(tail?.lines ?? []), [tail]);
  if (levels.length === 0) return null;
  return (
    <span className={styles.tool}>
      <label htmlFor={id}>{t("run.log.level")}</label>
      <Select
        id={id}
        size="small"
        value={levels.some(({ text }) => text === sought) ? sought : ""}
        onChange={(_, data) => onChoose(data.value)}
      >
        <option value="">{t("run.log.levelAll")}</option>
        {levels.map(({ name, text }) => (
          <option key={name} value={text}>
            {name}
          </option>
        ))}
      </Select>
    </span>
  );
}

function Steps() {
  const { t } = useTranslation();
  const { logs } = useStores();
  const found = useStore(logs.store, ({ search }) => search.hits.length > 0);
  const running = useStore(logs.store, ({ search }) => search.phase === "running");
  return (
    <>
      {found && (
        <span className={styles.tool}>
          <Button size="small" onClick={() => logs.step(-1)}>
            {t("run.log.previous")}
          </Button>
          <Button size="small" onClick={() => logs.step(1)}>
            {t("run.log.next")}
          </Button>
        </span>
      )}
      {running && (
        <Button size="small" onClick={logs.stopSearch}>
          {t("run.log.stop")}
        </Button>
      )}
    </>
  );
}

/** How many hits, and how far the search is. */
function SearchState() {
  const { t } = useTranslation();
  const { logs } = useStores();
  const number = new Intl.NumberFormat(useLanguage());
  const { phase, hits, current, searchedBytes, sizeBytes, nextLine } = useStore(
    logs.store,
    (state) => state.search,
  );
  if (phase === "idle" || phase === "failed") return null;
  const count = number.format(hits.length);
  return (
    <>
      <span className={styles.state} role="status">
        {hits.length > 0 && t("run.log.hitAt", { at: number.format(current + 1), count })}
        {phase === "running" &&
          ` ${t("run.log.searching", { percent: percentOf(searchedBytes, sizeBytes) })}`}
        {phase === "stopped" && ` ${t("run.log.stopped")}`}
        {phase === "ended" && hits.length === 0 && t("run.log.none")}
        {nextLine !== null && ` ${t("run.log.limited", { count })}`}
      </span>
      {nextLine !== null && (
        <Button size="small" onClick={() => void logs.searchOn()}>
          {t("run.log.searchOn")}
        </Button>
      )}
    </>
  );
}
