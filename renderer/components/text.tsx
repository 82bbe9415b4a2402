import { Tooltip } from "@fluentui/react-components";
import { useTranslation } from "react-i18next";
import { useLanguage, useStores, useTimeZone } from "../state/context.tsx";
import { markedParts, markedText } from "../text/marks.ts";
import { durationParts, minuteText, secondText } from "../text/time.ts";
import styles from "./text.module.css";
import type { RowTarget } from "./virtual-table.tsx";

interface ForeignTextProps {
  readonly text: string;
  /** It names something: characters that pass for others are told apart (operator-ux §5.1). */
  readonly id?: boolean;
}

/** Text that others wrote: as text, with what would be invisible in it made visible (electron-desktop R7). */
export function ForeignText({ text, id = false }: ForeignTextProps) {
  const { t } = useTranslation();
  let offset = 0;
  return (
    <span className={styles.foreign} dir="auto">
      {markedParts(text, id).map((part) => {
        const key = offset;
        offset += part.kind === "text" ? part.text.length : 1;
        if (part.kind === "text") return <span key={key}>{part.text}</span>;
        return (
          <span
            key={key}
            className={styles.mark}
            title={t(part.alike ? "text.alike" : "text.mark", { code: part.code })}
          >
            {part.code}
          </span>
        );
      })}
    </span>
  );
}

interface CopyIdProps {
  readonly id: string;
  /** What it is, for the button's name. */
  readonly what: string;
  /** Shown instead of the whole id, which stays in the tooltip and in the copy. */
  readonly short?: string;
  readonly always?: boolean;
  /** Makes the button the control of its row in a virtual table. */
  readonly target?: RowTarget;
}

/** An identifier in the monospaced face with its copy button. */
export function CopyId({ id, what, short, always, target }: CopyIdProps) {
  const { t } = useTranslation();
  const { announcer } = useStores();
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(id);
    announcer.say(t("copy.done"));
  };
  const name = t("copy.action", { what });
  return (
    <span className={styles.id}>
      <span title={short === undefined ? undefined : markedText(id, true)}>
        <ForeignText text={short ?? id} id />
      </span>
      <Tooltip content={name} relationship="label">
        <button
          type="button"
          className={always ? `${styles.copy} ${styles.always}` : styles.copy}
          onClick={() => void copy()}
          {...target}
        >
          <svg
            width="14"
            height="14"
            viewBox="0 0 14 14"
            fill="none"
            stroke="currentColor"
            aria-hidden="true"
          >
            <rect x="4.5" y="4.5" width="8" height="8" rx="1.5" />
            <path d="M9.5 2.5v-.2a.8.8 0 0 0-.8-.8H2.3a.8.8 0 0 0-.8.8v6.4c0 .44.36.8.8.8h.2" />
          </svg>
        </button>
      </Tooltip>
    </span>
  );
}

/** Nothing recorded, said with a sign that reads the same in every column. */
export function Absent() {
  const { t } = useTranslation();
  return <span className={styles.absent}>{t("text.none")}</span>;
}

/** A record's time, to the minute it is kept to. */
export function MinuteTime({ at }: { readonly at: string | null }) {
  const timeZone = useTimeZone();
  const language = useLanguage();
  if (at === null || at === "") return <Absent />;
  return (
    <time className={styles.time} dateTime={at} title={at}>
      {minuteText(at, timeZone, language)}
    </time>
  );
}

/** Gives moments this program measured as time of day with seconds. */
export function useSecondText(): (iso: string) => string {
  const timeZone = useTimeZone();
  return (iso) => secondText(iso, timeZone);
}

/** A duration in words; seconds. */
export function Duration({ seconds }: { readonly seconds: number | null }) {
  const { t } = useTranslation();
  if (seconds === null) return <Absent />;
  const { unit, ...parts } = durationParts(seconds);
  return <span className={styles.time}>{t(`time.duration.${unit}`, parts)}</span>;
}

/** A time that is known to the second. */
export function ExactTime({ at }: { readonly at: string }) {
  const timeZone = useTimeZone();
  const language = useLanguage();
  const day = minuteText(at, timeZone, language).slice(0, -5);
  return (
    <time className={styles.time} dateTime={at} title={at}>
      {day}
      {secondText(at, timeZone)}
    </time>
  );
}
