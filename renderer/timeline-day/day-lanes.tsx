import { createContext, type KeyboardEvent, memo, useContext, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { routeHash } from "../app/routes.ts";
import axisStyles from "../components/axis.module.css";
import face from "../components/face.module.css";
import link from "../components/link.module.css";
import { Shapes } from "../components/status.tsx";
import { type Look, PACE_LOOK, RUN_LOOK } from "../components/status-model.ts";
import { ForeignText } from "../components/text.tsx";
import { type RowProps, type VirtualColumn, VirtualTable } from "../components/virtual-table.tsx";
import { useStores, useTimeZone } from "../state/context.tsx";
import { markedText } from "../text/marks.ts";
import styles from "./day.module.css";
import {
  type DayBar,
  type DayRow,
  dayBeside,
  hoursOf,
  idleSpans,
  placeOf,
  rowsOf,
  type Span,
} from "./day-model.ts";
import { useClockText } from "./use-clock-text.ts";

interface Lanes {
  readonly day: string;
  readonly span: Span;
  readonly now: number;
  readonly idle: readonly Span[];
  readonly byKey: ReadonlyMap<string, DayRow>;
}
const Rows = createContext<Lanes>({
  day: "",
  span: { from: 0, to: 1 },
  now: 0,
  idle: [],
  byKey: new Map(),
});

const percent = (share: number): string => `${share * 100}%`;

interface DayLanesProps {
  readonly day: string;
  readonly span: Span;
  readonly bars: readonly DayBar[];
  readonly now: number;
}

/** The day as a row a network, of which only those in sight are in the document (operator-ux §3.2). */
export function DayLanes({ day, span, bars, now }: DayLanesProps) {
  const { t } = useTranslation();
  const known = useStore(useStores().workspace.store, (state) => state.networks.value);
  const rows = useMemo(
    () =>
      rowsOf(
        bars,
        (known ?? []).map(({ networkId }) => networkId),
      ),
    [bars, known],
  );
  const keys = useMemo(() => rows.map(({ key }) => key), [rows]);
  const lanes = useMemo<Lanes>(
    () => ({
      day,
      span,
      now,
      idle: bars.length === 0 ? [] : idleSpans(bars, span, now),
      byKey: new Map(rows.map((row) => [row.key, row])),
    }),
    [day, span, now, bars, rows],
  );
  const columns: readonly VirtualColumn[] = [
    { key: "network", label: t("day.network"), width: "220px" },
    { key: "count", label: t("day.count"), width: "56px", align: "right" },
    { key: "axis", label: t("day.axis"), head: <AxisHead day={day} span={span} /> },
  ];
  return (
    <Rows.Provider value={lanes}>
      <VirtualTable
        caption={t("day.caption")}
        columns={columns}
        keys={keys}
        Cells={LaneCells}
        rowAttribute="data-lane"
        maxHeight="max(280px, calc(100vh - 320px))"
      />
    </Rows.Provider>
  );
}

function AxisHead({ day, span }: { readonly day: string; readonly span: Span }) {
  const zone = useTimeZone();
  return (
    <span className={axisStyles.axis} aria-hidden="true">
      {hoursOf(day, zone).map(({ at, text }) => (
        <span key={text} className={axisStyles.tick} style={{ left: percent(placeOf(span, at)) }}>
          {text}
        </span>
      ))}
    </span>
  );
}

/** Left and right arrow keys go from the row's name along its bars and back (operator-ux §4, 2.1.1). */
function onLaneKey(event: KeyboardEvent<HTMLElement>): void {
  if (event.nativeEvent.isComposing || (event.key !== "ArrowRight" && event.key !== "ArrowLeft")) return;
  const row = event.currentTarget.closest("tr");
  const stops = [...(row?.querySelectorAll<HTMLElement>("a[data-row-target], a[data-bar]") ?? [])];
  const at = stops.indexOf(event.currentTarget);
  const next = stops[at + (event.key === "ArrowRight" ? 1 : -1)];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}

function LaneCells({ rowKey, target }: RowProps) {
  const { t } = useTranslation();
  const { day, byKey } = useContext(Rows);
  const row = byKey.get(rowKey);
  if (row === undefined) return null;
  const { networkId, lane } = row;
  const name =
    lane === 0 ? networkId : t("day.lane", { network: markedText(networkId, true), lane: lane + 1 });
  // A Run may have been made on the day before the one it ran on.
  const filter = { networkId, from: dayBeside(day, -1), to: day };
  return (
    <>
      <td>
        <a
          className={`${link.open} ${link.whole}`}
          href={routeHash({ page: "runs", filter })}
          title={t("day.openRuns", { network: markedText(networkId, true) })}
          onKeyDown={onLaneKey}
          {...target}
        >
          <ForeignText text={name} id={lane === 0} />
        </a>
      </td>
      <td className={face.figure}>{row.bars.length}</td>
      <td>
        <Lane row={row} />
      </td>
    </>
  );
}

function Lane({ row }: { readonly row: DayRow }) {
  const { t } = useTranslation();
  const { span, now, idle } = useContext(Rows);
  return (
    <div className={styles.lane}>
      {idle.map(({ from, to }) => (
        <span
          key={from}
          className={styles.idle}
          style={{
            left: percent(placeOf(span, from)),
            width: percent(placeOf(span, to) - placeOf(span, from)),
          }}
        />
      ))}
      {row.bars.map((bar) => (
        <Bar key={bar.run.runId} bar={bar} left={placeOf(span, bar.from)} right={placeOf(span, bar.to)} />
      ))}
      {row.bars.map(({ run, due }) =>
        due === null ? null : (
          <span key={run.runId} className={styles.due} style={{ left: percent(placeOf(span, due)) }} />
        ),
      )}
      {now > span.from && now < span.to && (
        <span className={styles.now} style={{ left: percent(placeOf(span, now)) }} title={t("day.now")} />
      )}
    </div>
  );
}

interface BarProps {
  readonly bar: DayBar;
  readonly left: number;
  readonly right: number;
}

/** One Run: a link over its time. Its name says what colour and glyph show. */
const Bar = memo(
  function Bar({ bar, left, right }: BarProps) {
    const { t } = useTranslation();
    const clock = useClockText();
    const { run, pace, running, due } = bar;
    const { tone } = RUN_LOOK[run.status];
    const words = [
      t(running ? "day.barRunning" : "day.bar", {
        key: markedText(run.businessKey, true),
        status: t(`status.run.${run.status}`),
        from: clock(bar.from),
        to: clock(bar.to),
      }),
      pace === "usual" ? "" : t(`pace.${pace}`),
      due === null ? "" : t("day.due", { time: clock(due) }),
    ];
    const name = words.filter((word) => word !== "").join(" · ");
    return (
      <a
        className={styles.bar}
        data-bar={run.runId}
        data-running={running}
        data-pace={pace}
        href={routeHash({ page: "run", runId: run.runId })}
        aria-label={name}
        title={name}
        tabIndex={-1}
        onKeyDown={onLaneKey}
        style={
          {
            "--tone": `var(--tone-${tone})`,
            left: percent(left),
            width: percent(right - left),
          } as React.CSSProperties
        }
      >
        <Marks
          looks={[
            ...(MARKED.has(run.status) ? [RUN_LOOK[run.status]] : []),
            ...(pace === "usual" ? [] : [PACE_LOOK[pace]]),
          ]}
        />
      </a>
    );
  },
  // A finished bar stays as it is while the clock goes on.
  (before, after) =>
    before.left === after.left &&
    before.right === after.right &&
    before.bar.run === after.bar.run &&
    before.bar.pace === after.bar.pace &&
    before.bar.due === after.bar.due,
);

/** Statuses that the eye must find without telling colours apart (operator-ux §4, 1.4.1). */
const MARKED: ReadonlySet<string> = new Set(["FAILED", "UNKNOWN", "CANCELLED"]);
const MARK = 16;

/** Glyphs behind a bar's end. */
function Marks({ looks }: { readonly looks: readonly Look[] }) {
  if (looks.length === 0) return null;
  return (
    <svg
      className={styles.glyph}
      style={{ right: -2 - looks.length * MARK }}
      width={looks.length * MARK}
      height={MARK}
      fill="none"
      strokeWidth="1.6"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {looks.map(({ glyph, tone }, at) => (
        <g key={glyph} color={`var(--tone-${tone})`}>
          <Shapes glyph={glyph} places={[[at * MARK, 0]]} />
        </g>
      ))}
    </svg>
  );
}
