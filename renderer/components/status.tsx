import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Activity, NodeStatus, OutcomeStatus, RunStatus } from "../../shared/domain/model.ts";
import styles from "./status.module.css";
import { ACTIVITY_LOOK, type Glyph, type Look, NODE_LOOK, OUTCOME_LOOK, RUN_LOOK } from "./status-model.ts";

/** One shape a status, drawn on 16 × 16; told apart without colour. */
const SHAPES: Readonly<Record<Glyph, ReactNode>> = {
  tick: (
    <>
      <circle cx="8" cy="8" r="7" fill="currentColor" />
      <path d="M4.6 8.2l2.3 2.3 4.5-4.8" stroke="var(--colorNeutralBackground1)" />
    </>
  ),
  cross: (
    <>
      <rect x="1.5" y="1.5" width="13" height="13" rx="2" fill="currentColor" />
      <path d="M5.3 5.3l5.4 5.4M10.7 5.3l-5.4 5.4" stroke="var(--colorNeutralBackground1)" />
    </>
  ),
  question: (
    <>
      <path d="M8 .8L15.2 8 8 15.2.8 8z" fill="currentColor" />
      <path
        d="M6.3 6.4a1.75 1.75 0 1 1 2.6 1.5c-.6.35-.9.7-.9 1.3M8 11.2v.1"
        stroke="var(--colorNeutralBackground1)"
      />
    </>
  ),
  half: (
    <>
      <circle cx="8" cy="8" r="6.2" stroke="currentColor" />
      <path d="M8 1.8a6.2 6.2 0 0 1 0 12.4z" fill="currentColor" />
    </>
  ),
  ring: <circle cx="8" cy="8" r="6.2" stroke="currentColor" />,
  dotted: <circle cx="8" cy="8" r="6.2" stroke="currentColor" strokeDasharray="2.6 2.3" />,
  bar: (
    <>
      <path d="M5.2 1.2h5.6l4 4v5.6l-4 4H5.2l-4-4V5.2z" stroke="currentColor" />
      <path d="M4.6 8h6.8" stroke="currentColor" />
    </>
  ),
  slash: (
    <>
      <circle cx="8" cy="8" r="6.2" stroke="currentColor" />
      <path d="M3.8 12.2l8.4-8.4" stroke="currentColor" />
    </>
  ),
  chevrons: <path d="M3 3.5L7.5 8 3 12.5M8.5 3.5L13 8l-4.5 4.5" stroke="currentColor" />,
  play: (
    <>
      <circle cx="8" cy="8" r="6.2" stroke="currentColor" />
      <path d="M6.4 5.2l4.4 2.8-4.4 2.8z" fill="currentColor" />
    </>
  ),
  pause: (
    <>
      <rect x="1.8" y="1.8" width="12.4" height="12.4" rx="2" stroke="currentColor" />
      <path d="M6.2 5.4v5.2M9.8 5.4v5.2" stroke="currentColor" />
    </>
  ),
  break: (
    <>
      <path d="M8 1.6l6.8 12.2H1.2z" stroke="currentColor" />
      <path d="M8 6.2v3.6M8 11.8v.1" stroke="currentColor" />
    </>
  ),
};

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
      {SHAPES[look.glyph]}
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

/** The shape and tone alone, where the word stands in the name of what carries it. */
export function NodeStatusMark({ status }: { readonly status: NodeStatus }) {
  return <ToneMark look={NODE_LOOK[status]} />;
}

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
