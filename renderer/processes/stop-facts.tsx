import type { TFunction } from "i18next";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { StopProgress } from "../../shared/api/index.ts";
import findings from "../components/findings.module.css";
import { Mark } from "../components/mark.tsx";
import note from "../components/note.module.css";
import { useSecondText } from "../components/text.tsx";

type Look = "pending" | "done" | "fault";

const SHAPES: Readonly<Record<Look, { readonly tone: string; readonly shape: ReactNode }>> = {
  pending: {
    tone: "waiting",
    shape: <path d="M8 1.8a6.2 6.2 0 1 0 0 12.4A6.2 6.2 0 0 0 8 1.8zM8 4.6V8l2.4 1.6" />,
  },
  done: { tone: "success", shape: <path d="M3 8.5l3.4 3.4L13 4.6" /> },
  fault: { tone: "failed", shape: <path d="M8 1.6l6.8 12.2H1.2zM8 6.2v3.6M8 11.8v.1" /> },
};

/** Requested, gone and settled: three facts, each with its own state and never read out of another (operator-ux §1.1, kill). */
export function StopFactsList({ stop }: { readonly stop: StopProgress }) {
  const { t } = useTranslation();
  const time = useSecondText();
  const unkillable = stop.gone?.kind === "notProven" && stop.forcedAt !== null;
  return (
    <>
      <dl className={findings.findings} data-stop={stop.operationId}>
        <Line name="requested" look={requestedLook(stop)}>
          {requestedText(stop, t, time)}
        </Line>
        <Line
          name="gone"
          look={stop.gone === null ? "pending" : stop.gone.kind === "proven" ? "done" : "fault"}
        >
          {goneText(stop, t)}
        </Line>
        <Line name="settled" look={stop.settled === "recorded" ? "done" : "pending"}>
          {t(`processes.stop.settled.${stop.settled}`)}
        </Line>
      </dl>
      {unkillable && <p className={note.warning}>{t("processes.stop.gone.unkillable")}</p>}
    </>
  );
}

interface LineProps {
  readonly name: "requested" | "gone" | "settled";
  readonly look: Look;
  readonly children: ReactNode;
}

function Line({ name, look, children }: LineProps) {
  const { t } = useTranslation();
  const { tone, shape } = SHAPES[look];
  const style = { "--tone": `var(--tone-${tone})` } as React.CSSProperties;
  return (
    <div data-fact={name} data-look={look}>
      <dt className={findings.sign} style={style}>
        <Mark weight={1.8}>{shape}</Mark>
        {t(`processes.stop.fact.${name}`)}
      </dt>
      <dd>{children}</dd>
    </div>
  );
}

function requestedLook({ requested }: StopProgress): Look {
  if (requested === null) return "pending";
  return requested === "unheard" ? "fault" : "done";
}

function requestedText(stop: StopProgress, t: TFunction, time: (iso: string) => string): string {
  const { requested, forcedAt, requestedAt, graceEndsAt } = stop;
  if (requested === null) {
    return forcedAt === null
      ? t("processes.stop.requested.pending", { time: time(requestedAt), until: time(graceEndsAt) })
      : t("processes.stop.requested.forcing", { time: time(forcedAt) });
  }
  return forcedAt === null
    ? t(`processes.stop.requested.${requested}`)
    : t(`processes.stop.requested.${requested}Forced`, { time: time(forcedAt) });
}

function goneText({ gone }: StopProgress, t: TFunction): string {
  if (gone === null) return t("processes.stop.gone.pending");
  if (gone.kind === "proven") return t("processes.stop.gone.proven");
  const pids = gone.left.map(({ pid }) => t("processes.pid", { pid })).join(", ");
  return t("processes.stop.gone.left", { count: gone.left.length, pids });
}
