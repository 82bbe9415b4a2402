import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import type { RunRow } from "../../shared/api/index.ts";
import { type ExpectedDuration, minutesBetween, type Pace } from "../../shared/domain/expected-duration.ts";
import { useNow, useStores } from "../state/context.tsx";
import { expectedOf, nodeKey, paceOfRun } from "../state/pace.ts";
import styles from "./pace.module.css";
import { PaceBadge } from "./status.tsx";
import { Absent } from "./text.tsx";

/** Gives whole minutes in words; no seconds, which nobody measured (operator-ux §1.1). */
export function useMinutesText(): (minutes: number) => string {
  const { t } = useTranslation();
  return (minutes) => {
    if (minutes < 1) return t("pace.underMinute");
    if (minutes < 60) return t("pace.minutes", { minutes });
    return t("pace.hours", { hours: Math.floor(minutes / 60), minutes: minutes % 60 });
  };
}

function useExpectedText(): (expected: ExpectedDuration) => string {
  const { t } = useTranslation();
  const text = useMinutesText();
  return ({ medianMin, p90Min }) => t("pace.expected", { usual: text(medianMin), most: text(p90Min) });
}

/** How long a Run usually takes, and whether this one takes longer or is late; nothing when too few succeeded to tell. */
export function RunPace({ run }: { readonly run: RunRow }) {
  const { t } = useTranslation();
  const { pace } = useStores();
  const expectedText = useExpectedText();
  const minutesText = useMinutesText();
  const state = useStore(pace.store);
  const now = useNow();
  useEffect(() => void pace.want(), [pace]);
  const expected = expectedOf(state, run);
  if (expected === null) return null;
  const took = minutesBetween(run.startedAt, run.finishedAt ?? new Date(now).toISOString());
  return (
    <p className={styles.line}>
      <span title={t("pace.source", { count: expected.of })}>{expectedText(expected)}</span>
      {took !== null && (
        <span>
          {t(run.finishedAt === null ? "pace.elapsed" : "pace.took", { minutes: minutesText(took) })}
        </span>
      )}
      <PaceMark pace={paceOfRun(state, run, now)} />
    </p>
  );
}

export function PaceMark({ pace }: { readonly pace: Pace }) {
  return pace === "usual" ? null : <PaceBadge pace={pace} />;
}

interface RunMinutesProps {
  readonly run: RunRow;
  /** Whether what takes longer than usual is marked here. */
  readonly marked?: boolean;
}

/** Minutes of a Run in a list, those usual for its network in the tooltip. */
export function RunMinutes({ run, marked = true }: RunMinutesProps) {
  if (run.startedAt === null) return <Absent />;
  // Only what still runs grows, and only its row is drawn again.
  if (run.finishedAt === null) return <GrowingMinutes run={run} marked={marked} />;
  return <MinutesAt run={run} marked={marked} now={0} />;
}

function GrowingMinutes(props: Required<RunMinutesProps>) {
  return <MinutesAt {...props} now={useNow()} />;
}

function MinutesAt({ run, marked, now }: Required<RunMinutesProps> & { readonly now: number }) {
  const { pace } = useStores();
  const expectedText = useExpectedText();
  const minutesText = useMinutesText();
  const state = useStore(pace.store);
  const expected = expectedOf(state, run);
  const took = minutesBetween(run.startedAt, run.finishedAt ?? new Date(now).toISOString());
  if (took === null) return <Absent />;
  return (
    <span className={styles.cell} title={expected === null ? undefined : expectedText(expected)}>
      {marked && <PaceMark pace={paceOfRun(state, run, now)} />}
      {minutesText(took)}
    </span>
  );
}

/** How long a node usually takes; read once when its panel opens, nothing when too few succeeded to tell. */
export function NodePace({ runId, nodeId }: { readonly runId: string; readonly nodeId: string }) {
  const { t } = useTranslation();
  const { pace } = useStores();
  const expectedText = useExpectedText();
  const expected = useStore(pace.store, (state) => state.nodes.get(nodeKey(runId, nodeId)) ?? null);
  useEffect(() => void pace.wantNode(runId, nodeId), [pace, runId, nodeId]);
  if (expected === null) return null;
  return (
    <p className={styles.line} title={t("pace.source", { count: expected.of })}>
      {expectedText(expected)}
    </p>
  );
}
