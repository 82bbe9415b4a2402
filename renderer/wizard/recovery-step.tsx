import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { RecoveryPicture } from "../../shared/api/index.ts";
import { Mark } from "../components/mark.tsx";
import page from "../components/page.module.css";
import { RunStatusBadge } from "../components/status.tsx";
import { HolderFacts, OwnerVerdict, ReleaseStep } from "./lock-steps.tsx";
import { JobLockStep, JudgeStep, ResolveStep, ResumeStep } from "./node-steps.tsx";
import { stepText } from "./step-text.ts";
import styles from "./wizard.module.css";

export type StepName = RecoveryPicture["steps"][number]["step"];
export type StepState = RecoveryPicture["steps"][number]["state"];

interface RecoveryStepProps {
  readonly step: StepName;
  readonly state: StepState;
  readonly number: number;
  readonly picture: RecoveryPicture;
}

const SHAPES: Readonly<Record<StepState, { readonly tone: string; readonly shape: ReactNode }>> = {
  done: {
    tone: "success",
    shape: (
      <>
        <circle cx="8" cy="8" r="6.6" />
        <path d="M4.8 8.3l2.2 2.2 4.3-4.6" />
      </>
    ),
  },
  now: { tone: "live", shape: <path d="M3 3.5L7.5 8 3 12.5M8.5 3.5L13 8l-4.5 4.5" /> },
  waits: {
    tone: "blocked",
    shape: <path d="M4 2h8M4 14h8M5 2c0 4 6 4 6 6s-6 2-6 6M11 2c0 4-6 4-6 6s6 2 6 6" />,
  },
  later: { tone: "waiting", shape: <circle cx="8" cy="8" r="6.2" strokeDasharray="2.6 2.3" /> },
  needless: { tone: "skipped", shape: <path d="M3 8h10" /> },
};

/** One step: how it stands, as a sign, a word and a sentence; beneath it what the records say and what to do. */
export function RecoveryStep({ step, state, number, picture }: RecoveryStepProps) {
  const { t } = useTranslation();
  const { tone, shape } = SHAPES[state];
  const style = { "--tone": `var(--tone-${tone})` } as React.CSSProperties;
  return (
    <li
      className={styles.step}
      data-step={step}
      data-state={state}
      aria-current={state === "now" ? "step" : undefined}
    >
      <span className={styles.sign} style={style}>
        <Mark round>{shape}</Mark>
        {t(`recovery.state.${state}`)}
      </span>
      <div className={styles.body}>
        <h2 className={styles.name}>
          {number}. {t(`recovery.step.${step}.name`)}
        </h2>
        <p className={page.text}>{stepText(step, state, picture, t)}</p>
        <Content step={step} state={state} picture={picture} />
      </div>
    </li>
  );
}

function Content({ step, state, picture }: Omit<RecoveryStepProps, "number">) {
  switch (step) {
    case "staleLock":
      return picture.lockIsOurs ? <HolderFacts picture={picture} /> : null;
    case "stopConfirmed":
      return picture.lockIsOurs ? <OwnerVerdict picture={picture} /> : null;
    case "forceUnlock":
      return state === "now" ? <ReleaseStep picture={picture} /> : null;
    case "adjudicate":
      return picture.orphans.length > 0 ? <JudgeStep picture={picture} now={state === "now"} /> : null;
    case "resolve":
      return <ResolveStep picture={picture} now={state === "now"} />;
    case "jobLock":
      return <JobLockStep picture={picture} now={state === "now"} />;
    case "resume":
      return state === "now" ? <ResumeStep picture={picture} /> : null;
    case "success":
      return (
        <p className={page.text}>
          <RunStatusBadge status={picture.runStatus} withCode />
        </p>
      );
  }
}
