import { Spinner } from "@fluentui/react-components";
import { useTranslation } from "react-i18next";
import type { JobLock } from "../../shared/api/index.ts";
import { type Look, Toned } from "../components/toned.tsx";
import type { Loaded } from "../state/load.ts";

export type JobLockPhase = "notAsked" | "asking" | "free" | "held" | "unknown" | "failed";

/** Where one job lock stands, as far as it was asked about. */
export function phaseOfJobLock({ phase, value, problem }: Loaded<JobLock>): JobLockPhase {
  if (phase === "loading") return "asking";
  if (problem !== null) return "failed";
  if (value === null) return "notAsked";
  if (value.locked === null) return "unknown";
  return value.locked && value.record !== null ? "held" : "free";
}

const circle = <circle cx="8" cy="8" r="6.2" strokeDasharray="2.6 2.3" />;
const doubt = <path d="M8 2.5l6 11H2z" />;
const LOOK: Readonly<Record<Exclude<JobLockPhase, "asking">, Look>> = {
  notAsked: { tone: "waiting", shape: <path d="M4 8h8" /> },
  free: { tone: "waiting", shape: circle },
  held: {
    tone: "live",
    shape: (
      <>
        <rect x="3" y="7" width="10" height="7" rx="1.5" fill="currentColor" />
        <path d="M5 7V5a3 3 0 0 1 6 0v2" />
      </>
    ),
  },
  unknown: { tone: "blocked", shape: doubt },
  failed: { tone: "blocked", shape: doubt },
};

/** The state of a job lock: a shape, a colour and its word. */
export function JobLockState({ phase, large }: { readonly phase: JobLockPhase; readonly large?: boolean }) {
  const { t } = useTranslation();
  const word = t(`jobLocks.state.${phase}`);
  if (phase === "asking") return <Spinner size="tiny" label={word} labelPosition="after" />;
  return (
    <span data-state={phase}>
      <Toned look={LOOK[phase]} large={large === true} plain={phase === "notAsked"}>
        {word}
      </Toned>
    </span>
  );
}
