import { useTranslation } from "react-i18next";
import type { Activity, NodeStatus, OutcomeStatus, RunStatus } from "../../shared/domain/model.ts";
import { pathOf, SHAPES } from "./glyphs.ts";
import styles from "./status.module.css";
import {
  ACTIVITY_LOOK,
  type Glyph,
  type Look,
  NODE_LOOK,
  OUTCOME_LOOK,
  PACE_LOOK,
  RUN_LOOK,
} from "./status-model.ts";

const HERE = [[0, 0]] as const;

interface ShapesProps {
  readonly glyph: Glyph;
  /** Upper left corners, CSS pixels; without them one stands at the origin. */
  readonly places?: readonly (readonly [x: number, y: number])[];
}

/** The shape of a status at some places of a drawing, each part of all of them as one path. */
export function Shapes({ glyph, places = HERE }: ShapesProps) {
  const { fill, line, cut, dashed } = SHAPES[glyph];
  return (
    <>
      {line.length > 0 && (
        <path
          d={pathOf(line, places)}
          stroke="currentColor"
          strokeDasharray={dashed ? "2.6 2.3" : undefined}
        />
      )}
      {fill.length > 0 && <path d={pathOf(fill, places)} fill="currentColor" />}
      {cut.length > 0 && <path d={pathOf(cut, places)} stroke="var(--colorNeutralBackground1)" />}
    </>
  );
}

function Mark({ look }: { readonly look: Look }) {
  return (
    <svg
      className={styles.glyph}
      width="16"
      height="16"
      viewBox="0 0 16 16"
      fill="none"
      strokeWidth="1.6"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      data-glyph={look.glyph}
    >
      <Shapes glyph={look.glyph} />
    </svg>
  );
}

interface BadgeProps {
  readonly look: Look;
  readonly word: string;
  /** Wire value, shown behind the word where there is room (operator-ux §5.1). */
  readonly code?: string;
  readonly large?: boolean;
  readonly plain?: boolean;
}

function Badge({ look, word, code, large, plain }: BadgeProps) {
  const style = { "--tone": `var(--tone-${look.tone})` } as React.CSSProperties;
  const classes = [styles.status, large && styles.large, plain && styles.plain].filter(Boolean).join(" ");
  return (
    <span className={classes} style={style}>
      <Mark look={look} />
      <span className={plain ? undefined : styles.word}>{word}</span>
      {code !== undefined && <span className={styles.code}>({code})</span>}
    </span>
  );
}

type Size = { readonly large?: boolean; readonly withCode?: boolean };

export function RunStatusBadge({ status, large, withCode }: { readonly status: RunStatus } & Size) {
  const { t } = useTranslation();
  return (
    <Badge
      look={RUN_LOOK[status]}
      word={t(`status.run.${status}`)}
      code={withCode ? status : undefined}
      large={large}
    />
  );
}

export function NodeStatusBadge({ status }: { readonly status: NodeStatus }) {
  const { t } = useTranslation();
  return <Badge look={NODE_LOOK[status]} word={t(`status.node.${status}`)} />;
}

export function OutcomeBadge({ status }: { readonly status: OutcomeStatus }) {
  const { t } = useTranslation();
  return <Badge look={OUTCOME_LOOK[status]} word={t(`status.outcome.${status}`)} />;
}

export function ActivityBadge({ activity, large, withCode }: { readonly activity: Activity } & Size) {
  const { t } = useTranslation();
  return (
    <Badge
      look={ACTIVITY_LOOK[activity]}
      word={t(`activity.name.${activity}`)}
      code={withCode ? activity : undefined}
      large={large}
      plain={!large}
    />
  );
}

/** That something takes longer than usual, or is late (operator-ux §1.1). */
export function PaceBadge({ pace }: { readonly pace: "long" | "late" }) {
  const { t } = useTranslation();
  return <Badge look={PACE_LOOK[pace]} word={t(`pace.${pace}`)} />;
}

/** The shape and tone alone, where the word stands in the name of what carries it. */
export function RunStatusMark({ status }: { readonly status: RunStatus }) {
  return <ToneMark look={RUN_LOOK[status]} />;
}

function ToneMark({ look }: { readonly look: Look }) {
  return (
    <span
      className={styles.status}
      style={{ "--tone": `var(--tone-${look.tone})` } as React.CSSProperties}
      aria-hidden="true"
    >
      <Mark look={look} />
    </span>
  );
}
