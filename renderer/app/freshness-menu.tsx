import { type KeyboardEvent, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { type Freshness, SOURCES, sourceStaleness } from "../../shared/api/index.ts";
import { guidanceOf } from "../components/problem.tsx";
import { useAge, useNow, useStaleness, useStores, useTimeZone } from "../state/context.tsx";
import { secondText } from "../text/time.ts";
import styles from "./top-bar.module.css";

/** How old the picture is, in the bar; a press tells it of each source, with its problem (screens, Frame). */
export function FreshnessMenu() {
  const { t } = useTranslation();
  const staleness = useStaleness();
  const freshness = useStore(useStores().live.store, (state) => state.freshness);
  const age = useAge(freshness?.readAt ?? null);
  const word = staleness === "lost" || staleness === "stale" ? ` · ${t(`freshness.${staleness}`)}` : "";
  const id = useId();
  const surface = useRef<HTMLDivElement>(null);
  // Ages change every second: what nobody sees is not drawn.
  const [open, setOpen] = useState(false);
  /** Closes the table, not the page behind it. */
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== "Escape" || surface.current?.matches(":popover-open") !== true) return;
    event.preventDefault();
    surface.current.hidePopover();
  };
  return (
    <div className={styles.freshnessPlace}>
      <button
        type="button"
        className={styles.freshness}
        popoverTarget={id}
        data-testid="freshness"
        data-staleness={staleness}
        onKeyDown={onKeyDown}
      >
        <span className={styles.dot} data-staleness={staleness} aria-hidden="true" />
        <span>
          {t("freshness.source.state")} <span className={styles.age}>{age}</span>
          {word}
        </span>
      </button>
      <div
        id={id}
        ref={surface}
        className={styles.popover}
        popover="auto"
        onToggle={(event) => setOpen(event.newState === "open")}
      >
        {open && <SourcesTable />}
      </div>
    </div>
  );
}

function SourcesTable() {
  const { t } = useTranslation();
  const { sources, line } = useStore(useStores().live.store);
  const known = SOURCES.map((source) => sources[source]).filter((each) => each !== undefined);
  return (
    <>
      <h2 className={styles.popoverTitle}>{t("frame.sources.title")}</h2>
      {line === "lost" && <p className={styles.popoverLine}>{t("frame.sources.lost")}</p>}
      <table className={styles.sources}>
        <thead>
          <tr>
            <th scope="col">{t("frame.sources.source")}</th>
            <th scope="col">{t("frame.sources.readAt")}</th>
            <th scope="col" className={styles.number}>
              {t("frame.sources.interval")}
            </th>
            <th scope="col" className={styles.number}>
              {t("frame.sources.today")}
            </th>
          </tr>
        </thead>
        <tbody>
          {known.map((freshness) => (
            <SourceRow key={freshness.source} freshness={freshness} />
          ))}
        </tbody>
      </table>
      <BudgetLine />
    </>
  );
}

function SourceRow({ freshness }: { readonly freshness: Freshness }) {
  const { t } = useTranslation();
  const timeZone = useTimeZone();
  const now = useNow();
  const { budget, line } = useStore(useStores().live.store);
  const { source, readAt, intervalMs, problem } = freshness;
  const share = budget.find((each) => each.source === source);
  const staleness = line === "lost" ? "lost" : sourceStaleness(freshness, now);
  return (
    <tr>
      <th scope="row">
        <span className={styles.sourceName}>
          <span className={styles.dot} data-staleness={staleness} aria-hidden="true" />
          {t(`freshness.source.${source}`)}
        </span>
        {problem && <span className={styles.sourceProblem}>{guidanceOf(problem, t).cause}</span>}
      </th>
      <td>
        {readAt === null ? t("freshness.reading") : secondText(readAt, timeZone)}
        {staleness !== "fresh" && (
          <span className={styles.sourceProblem}>{t(`frame.sources.state.${staleness}`)}</span>
        )}
      </td>
      <td className={styles.number}>
        {t("frame.sources.seconds", { count: Math.round(intervalMs / 1000) })}
      </td>
      <td className={styles.number}>
        {share === undefined ? t("text.none") : share.used.toLocaleString("en")}
      </td>
    </tr>
  );
}

/** What the budget means here: a kintone allows so many requests a day, the embedded workspace any number. */
function BudgetLine() {
  const { t } = useTranslation();
  const { live, workspace } = useStores();
  const kind = useStore(workspace.store, (state) => state.info.value?.kind);
  const [share] = useStore(live.store, (state) => state.budget);
  if (share === undefined || kind === undefined) return null;
  return (
    <p className={styles.popoverLine}>
      {t(kind === "embedded" ? "frame.budget.embedded" : "frame.budget.configured", {
        limit: share.limit.toLocaleString("en"),
      })}
    </p>
  );
}

/** Requests of the day as a share of what the busiest app allows; the shares at which looking slows are told. */
export function BudgetMark() {
  const { t } = useTranslation();
  const budget = useStore(useStores().live.store, (state) => state.budget);
  if (budget.length === 0) return null;
  const used = Math.max(...budget.map((each) => each.used / each.limit));
  const percent = used > 0 && used < 0.01 ? "<1" : String(Math.round(used * 100));
  const level = used >= 0.85 ? "high" : used >= 0.7 ? "raised" : "calm";
  return (
    <span className={styles.budget} data-level={level} data-testid="budget" title={t("frame.budget.hint")}>
      {t("frame.budget.mark", { percent })}
      {level !== "calm" && ` · ${t(`frame.budget.${level}`)}`}
    </span>
  );
}
