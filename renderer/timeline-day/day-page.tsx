import { Button, Input, Spinner, Switch } from "@fluentui/react-components";
import { useEffect, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { goTo } from "../app/use-route.ts";
import filters from "../components/filters.module.css";
import { Labelled } from "../components/filters.tsx";
import { useMinutesText } from "../components/pace.tsx";
import page from "../components/page.module.css";
import { ProblemPanel } from "../components/problem.tsx";
import { ViewChoice } from "../runs/view-choice.tsx";
import { useNow, useStaleness, useStores, useTimeZone } from "../state/context.tsx";
import { paceOfRun } from "../state/pace.ts";
import styles from "./day.module.css";
import { DayLanes } from "./day-lanes.tsx";
import { DayList } from "./day-list.tsx";
import { barOf, type DayBar, dayBeside, dayOf, idleSpans, type Span, spanOfDay } from "./day-model.ts";
import { useClockText } from "./use-clock-text.ts";

/** A day of every network: what ran when, what is late, and when nothing ran (operator-ux §1.1, timeline). */
export function DayPage({ day: named }: { readonly day: string | undefined }) {
  const { t } = useTranslation();
  const { pace } = useStores();
  const zone = useTimeZone();
  const today = dayOf(useNow(), zone);
  const day = named ?? today;
  const span = useMemo(() => spanOfDay(day, zone), [day, zone]);
  useEffect(() => {
    void pace.want();
    void pace.openDay({ from: new Date(span.from).toISOString(), before: new Date(span.to).toISOString() });
  }, [pace, span]);
  useEffect(() => pace.closeDay, [pace]);
  return (
    <div className={page.page}>
      <div className={page.head}>
        <h1 className={page.title}>{t("day.title")}</h1>
        <span className={page.quiet}>{t("day.lead")}</span>
      </div>
      <search className={filters.filters} aria-label={t("runs.filter.label")}>
        <ViewChoice view="day" filter={{}} />
        <DayChoice day={day} today={today} />
      </search>
      <Reading />
      <DayBody day={day} span={span} />
    </div>
  );
}

function DayChoice({ day, today }: { readonly day: string; readonly today: string }) {
  const { t } = useTranslation();
  const open = (wanted: string): void => goTo({ page: "timeline", day: wanted });
  return (
    <>
      <Button size="small" onClick={() => open(dayBeside(day, -1))}>
        {t("day.earlier")}
      </Button>
      <Labelled label={t("day.day")}>
        {(id) => (
          <Input
            id={id}
            size="small"
            type="date"
            value={day}
            onChange={(_, { value }) => value !== "" && open(value)}
          />
        )}
      </Labelled>
      <Button size="small" onClick={() => open(dayBeside(day, 1))}>
        {t("day.later")}
      </Button>
      {day !== today && (
        <Button size="small" onClick={() => goTo({ page: "timeline" })}>
          {t("day.today")}
        </Button>
      )}
    </>
  );
}

/** The Runs of the day as bars; those that still run reach to now, once a second. */
function useBars(span: Span): { readonly bars: readonly DayBar[]; readonly now: number } {
  const { pace } = useStores();
  const runs = useStore(pace.store, (state) => state.day.value?.runs);
  const paces = useStore(pace.store, (state) => state.paces);
  const second = useNow();
  // A day on which nothing runs any more is worked out once a minute: only its mark of now moves.
  const live = runs?.some(({ finishedAt }) => finishedAt === null) === true;
  const now = live ? second : Math.floor(second / 60_000) * 60_000;
  const bars = useMemo(() => {
    const state = { ...pace.store.getState(), paces };
    const judge = {
      paceOf: (run: DayBar["run"], at: number) => paceOfRun(state, run, at),
      dueOf: (run: DayBar["run"]) => state.dues.get(run.runId) ?? null,
    };
    return (runs ?? []).map((run) => barOf(run, span, now, judge)).filter((bar) => bar !== null);
  }, [pace, runs, paces, span, now]);
  return { bars, now };
}

/** How the reading of the day stands; a day once read stays below while it cannot be read again (operator-ux U5). */
function Reading() {
  const { t } = useTranslation();
  const { pace } = useStores();
  const { value, problem } = useStore(pace.store, (state) => state.day);
  if (problem !== null) {
    const again = { label: t("problem.retry"), run: () => void pace.reloadDay() };
    return <ProblemPanel problem={problem} action={again} />;
  }
  return value === null && <Spinner size="tiny" label={t("day.reading")} labelPosition="after" />;
}

function DayBody({ day, span }: { readonly day: string; readonly span: Span }) {
  const { t } = useTranslation();
  const { pace } = useStores();
  const { value } = useStore(pace.store, (state) => state.day);
  const staleness = useStaleness();
  const [asList, setAsList] = useState(false);
  const { bars, now } = useBars(span);
  const old = staleness === "stale" || staleness === "lost";
  if (value === null) return null;
  return (
    <div className={`${page.section} ${old ? page.stale : ""}`}>
      <div className={page.head}>
        <Switch label={t("day.asList")} checked={asList} onChange={(_, { checked }) => setAsList(checked)} />
        <span className={page.quiet}>{t("day.total", { count: bars.length })}</span>
      </div>
      {value.total > value.runs.length && (
        <p className={page.quiet}>
          {t("day.cut", { shown: value.runs.length, count: value.total - value.runs.length })}
        </p>
      )}
      <Idle bars={bars} span={span} now={now} />
      {bars.length === 0 && <p className={page.quiet}>{t("day.empty")}</p>}
      {asList ? <DayList bars={bars} /> : <DayLanes day={day} span={span} bars={bars} now={now} />}
    </div>
  );
}

/** Longest stretches without any Run that are told. */
const IDLE_TOLD = 5;

/** When nothing ran: room for maintenance, or a sign that something did not start. */
function Idle({
  bars,
  span,
  now,
}: {
  readonly bars: readonly DayBar[];
  readonly span: Span;
  readonly now: number;
}) {
  const { t } = useTranslation();
  const clock = useClockText();
  const minutesText = useMinutesText();
  const idle = idleSpans(bars, span, now).slice(0, IDLE_TOLD);
  if (bars.length === 0) return null;
  return (
    <p className={styles.idleLine}>
      <span className={styles.idleHead}>{t("day.idle")}</span>
      {idle.length === 0
        ? t("day.idleNone")
        : idle.map(({ from, to }) => (
            <span key={from} className={styles.idleSpan}>
              {t("day.idleSpan", {
                from: clock(from),
                to: clock(to),
                minutes: minutesText(Math.floor((to - from) / 60_000)),
              })}
            </span>
          ))}
    </p>
  );
}
