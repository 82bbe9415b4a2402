import { Button } from "@fluentui/react-components";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { LockDetail, Probe, ProbeResult } from "../../shared/api/index.ts";
import findings from "../components/findings.module.css";
import { Mark } from "../components/mark.tsx";
import note from "../components/note.module.css";
import page from "../components/page.module.css";
import { PanelLine } from "../components/panel.tsx";
import { ExactTime, ForeignText, useSecondText } from "../components/text.tsx";
import { useStores } from "../state/context.tsx";
import styles from "./locks.module.css";
import { seenText } from "./seen-text.ts";

/** A tick alone may be read as "wrong": every sign has its word (operator-ux §5.1). */
const SIGN: Readonly<Record<ProbeResult, { readonly tone: string; readonly shape: ReactNode }>> = {
  alive: { tone: "failed", shape: <path d="M3.5 3.5l9 9M12.5 3.5l-9 9" /> },
  ended: { tone: "success", shape: <path d="M3 8.5l3.4 3.4L13 4.6" /> },
  another: { tone: "success", shape: <path d="M3 8.5l3.4 3.4L13 4.6" /> },
  cannotTell: { tone: "blocked", shape: <path d="M8 2.5l6 11H2z" /> },
};

interface ProbesProps {
  readonly detail: LockDetail;
  readonly busy: boolean;
  /** The heading stands elsewhere. */
  readonly bare?: boolean;
  /** What else is looked at anew with them. */
  readonly onAgain?: () => void;
}

/** Whether the owner lives, as far as can be seen from here, each look with its result and its time. */
export function Probes({ detail, busy, bare = false, onAgain }: ProbesProps) {
  const { t } = useTranslation();
  const { locks } = useStores();
  const secondText = useSecondText();
  const again = (): void => {
    void locks.probe();
    onAgain?.();
  };
  const { thisHost } = detail.lock.holder ?? { thisHost: false };
  return (
    <section className={page.section} aria-label={t("locks.detail.probes")}>
      <PanelLine>
        {!bare && <h3 className={page.heading}>{t("locks.detail.probes")}</h3>}
        <span className={page.quiet}>{t("locks.detail.probedAt", { time: secondText(detail.readAt) })}</span>
        <span className={page.spacer} />
        <Button size="small" disabledFocusable={busy} onClick={again}>
          {t("locks.detail.again")}
        </Button>
      </PanelLine>
      <ProbeLines probes={detail.probes} />
      {!thisHost && <p className={page.text}>{t("locks.detail.afar")}</p>}
      <Verdict detail={detail} />
    </section>
  );
}

/** Each look with what it came to and what was seen. */
export function ProbeLines({ probes }: { readonly probes: readonly Probe[] }) {
  return (
    <ul className={findings.findings}>
      {probes.map((probe) => (
        <ProbeLine key={probe.probe} probe={probe} />
      ))}
    </ul>
  );
}

function ProbeLine({ probe }: { readonly probe: Probe }) {
  const { t } = useTranslation();
  const { tone, shape } = SIGN[probe.result];
  const style = { "--tone": `var(--tone-${tone})` } as React.CSSProperties;
  return (
    <li data-probe={probe.probe} data-result={probe.result}>
      <span className={findings.sign} style={style}>
        <Mark weight={1.8}>{shape}</Mark>
        {t(`locks.result.${probe.result}`)}
      </span>
      <span>
        <span className={styles.probeName}>{t(`locks.probe.${probe.probe}`)}</span>
        {seenText(probe, t)}
        <Seen probe={probe} />
      </span>
    </li>
  );
}

/** A creation time in the window's zone, a path or PIDs as they are. Lease and heartbeat stand among the facts. */
function Seen({ probe: { probe, seen } }: { readonly probe: Probe }) {
  if (seen === null || probe === "lease" || probe === "heartbeat") return null;
  const isTime = probe === "process" || probe === "journal";
  return (
    <span className={styles.seen}>{isTime ? <ExactTime at={seen} /> : <ForeignText text={seen} />}</span>
  );
}

const VERDICTS = { alive: "alive", another: "another", gone: "gone", "cannot-tell": "cannot_tell" } as const;
const GROUNDS = {
  journal: "journal",
  "creation-time": "creation_time",
  pid: "pid",
  "other-host": "other_host",
  "no-pid": "no_pid",
  unreadable: "unreadable",
  "no-creation-time": "no_creation_time",
} as const;

/** What follows from all of it, and from what. */
export function Verdict({ detail: { verdict } }: { readonly detail: LockDetail }) {
  const { t } = useTranslation();
  return (
    <p className={`${note.note} ${styles.verdict}`} data-verdict={verdict.kind}>
      <strong>{t(`locks.verdict.${VERDICTS[verdict.kind]}`)}</strong> {t(`locks.by.${GROUNDS[verdict.by]}`)}
    </p>
  );
}
