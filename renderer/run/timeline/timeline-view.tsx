import { Switch } from "@fluentui/react-components";
import { createContext, useContext, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { goTo } from "../../app/use-route.ts";
import axisStyles from "../../components/axis.module.css";
import face from "../../components/face.module.css";
import link from "../../components/link.module.css";
import page from "../../components/page.module.css";
import { OUTCOME_LOOK } from "../../components/status-model.ts";
import { ForeignText } from "../../components/text.tsx";
import unseen from "../../components/unseen.module.css";
import { type RowProps, type VirtualColumn, VirtualTable } from "../../components/virtual-table.tsx";
import { useLanguage, useNow, useTimeZone } from "../../state/context.tsx";
import { durationParts, minuteText } from "../../text/time.ts";
import { AttemptsReading } from "../attempts-view.tsx";
import type { TabProps } from "../tab-props.ts";
import styles from "./timeline.module.css";
import { type Axis, axisOf, type Bar, barsOf, positionOf, ticksOf } from "./timeline.ts";

interface TimelineRows {
  readonly runId: string;
  readonly axis: Axis;
  readonly byId: ReadonlyMap<string, Bar>;
}
const Rows = createContext<TimelineRows>({
  runId: "",
  axis: { stretches: [], length: 1, gap: 0 },
  byId: new Map(),
});

const TICKS = 6;

/** When each attempt ran, earlier ones kept; running bars grow (operator-ux §1.1, timeline). */
export function TimelineView({ detail }: TabProps) {
  const { t } = useTranslation();
  const [collapse, setCollapse] = useState(true);
  const { attempts, run } = detail;
  const second = useNow();
  // Nothing moves while nothing runs: a finished Run's bars are worked out once.
  const now = attempts.some((attempt) => attempt.status === "RUNNING") ? second : 0;
  const bars = useMemo(() => barsOf(attempts, now), [attempts, now]);
  const axis = useMemo(() => axisOf(bars, collapse), [bars, collapse]);
  const keys = useMemo(() => bars.map((bar) => bar.attemptId), [bars]);
  const rows = useMemo<TimelineRows>(
    () => ({ runId: run.runId, axis, byId: new Map(bars.map((bar) => [bar.attemptId, bar])) }),
    [run.runId, axis, bars],
  );
  if (keys.length === 0) {
    return (
      <div className={page.empty}>
        <p>{t("run.timeline.empty")}</p>
      </div>
    );
  }
  const columns: readonly VirtualColumn[] = [
    { key: "node", label: t("run.timeline.node"), width: "240px" },
    { key: "duration", label: t("run.attempts.duration"), width: "92px", align: "right" },
    { key: "bar", label: t("run.timeline.bar"), head: <AxisHead axis={axis} /> },
  ];
  return (
    <Rows.Provider value={rows}>
      <div className={page.head}>
        <Switch
          label={t("run.timeline.collapse")}
          checked={collapse}
          onChange={(_, data) => setCollapse(data.checked)}
        />
        <span className={page.quiet}>{t("run.timeline.precision")}</span>
      </div>
      <AttemptsReading detail={detail} />
      <VirtualTable caption={t("run.timeline.caption")} columns={columns} keys={keys} Cells={BarCells} />
    </Rows.Provider>
  );
}

function AxisHead({ axis }: { readonly axis: Axis }) {
  const timeZone = useTimeZone();
  const language = useLanguage();
  // A mark at the very end has no room for its text.
  const ticks = ticksOf(axis, TICKS).filter(({ position }) => position < 0.95);
  return (
    <span className={axisStyles.axis} aria-hidden="true">
      {ticks.map(({ at, position }) => (
        <span key={at} className={axisStyles.tick} style={{ left: `${position * 100}%` }}>
          {minuteText(new Date(at).toISOString(), timeZone, language).slice(-5)}
        </span>
      ))}
    </span>
  );
}

function BarCells({ rowKey, target }: RowProps) {
  const { t } = useTranslation();
  const { runId, axis, byId } = useContext(Rows);
  const bar = byId.get(rowKey);
  if (bar === undefined) return null;
  const { nodeId, attemptId } = bar;
  return (
    <>
      <td>
        <button
          type="button"
          className={`${link.button} ${link.open} ${link.whole}`}
          onClick={() => goTo({ page: "run", runId, tab: "attempts", nodeId, attemptId })}
          {...target}
        >
          <ForeignText text={nodeId} id />
        </button>{" "}
        <span className={bar.latest ? undefined : styles.earlier}>
          {t("run.panel.attempt", { no: bar.attemptNo })}
        </span>
      </td>
      <td className={face.figure}>
        <DurationText bar={bar} />
      </td>
      <td>
        <BarDrawing bar={bar} axis={axis} />
      </td>
    </>
  );
}

function DurationText({ bar }: { readonly bar: Bar }) {
  const { t } = useTranslation();
  if (bar.durationSec === null) return bar.running ? t("run.timeline.running") : "—";
  const { unit, ...parts } = durationParts(bar.durationSec);
  return t(`time.duration.${unit}`, parts);
}

/** The bar: solid where it must have run, hatched where it can have. */
function BarDrawing({ bar, axis }: { readonly bar: Bar; readonly axis: Axis }) {
  const { t } = useTranslation();
  const timeZone = useTimeZone();
  const language = useLanguage();
  const text = (instant: number): string => minuteText(new Date(instant).toISOString(), timeZone, language);
  const place = (from: number, to: number) => {
    const left = positionOf(axis, from);
    return { left: `${left * 100}%`, width: `${Math.max(0, positionOf(axis, to) - left) * 100}%` };
  };
  const name = t(bar.running ? "run.timeline.barRunning" : "run.timeline.barText", {
    status: t(`status.outcome.${bar.status}`),
    from: text(bar.whole.from),
    to: text(bar.whole.to),
  });
  return (
    <span
      className={styles.lane}
      title={name}
      style={{ "--tone": `var(--tone-${OUTCOME_LOOK[bar.status].tone})` } as React.CSSProperties}
    >
      {axis.stretches.slice(1).map(({ from }) => (
        <span key={from} className={styles.break} style={{ left: place(from, from).left }} />
      ))}
      <span className={styles.possible} style={place(bar.whole.from, bar.whole.to)} />
      {bar.certain !== null && (
        <span className={styles.certain} style={place(bar.certain.from, bar.certain.to)} />
      )}
      <span className={unseen.unseen}>{name}</span>
    </span>
  );
}
