import { memo, useId } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import type { AttentionEntry } from "../../shared/api/index.ts";
import { NextButton } from "../action/next-button.tsx";
import { routeHash } from "../app/routes.ts";
import face from "../components/face.module.css";
import link from "../components/link.module.css";
import { MinuteMark } from "../components/minute-mark.tsx";
import { moveToRow } from "../components/row-focus.ts";
import { ForeignText } from "../components/text.tsx";
import { GuidanceLink } from "../guidance/guidance-link.tsx";
import type { AttentionRow } from "../state/attention-list.ts";
import { useLanguage, useNow, useStores, useTimeZone } from "../state/context.tsx";
import { markedText } from "../text/marks.ts";
import { agoOf, minuteText } from "../text/time.ts";
import { RecoveryLink } from "../wizard/recovery-link.tsx";
import { Acknowledge } from "./acknowledge.tsx";
import styles from "./attention.module.css";
import { Facts } from "./facts.tsx";
import { subjectName, subjectRoute } from "./subject.ts";
import { UrgencyMark } from "./urgency.tsx";

/** What the steps of a recovery lead out of, beside the button; where that leads to them itself one way is enough. */
const leadsToRecovery = ({ kind, lockRecordId }: AttentionEntry): boolean =>
  kind === "unknown" || kind === "staleLock" || (kind === "interrupted" && lockRecordId === null);

/** Rows a page key moves by. */
const PAGE = 5;

/** One thing that needs somebody: how urgent, what, since when; below it what that means, what to do, and who. */
export const AttentionLine = memo(function AttentionLine({ row }: { readonly row: AttentionRow }) {
  const { t } = useTranslation();
  const { item, resolved } = row;
  return (
    <li
      className={styles.row}
      data-item={item.id}
      data-kind={item.kind}
      data-resolved={resolved || undefined}
    >
      <UrgencyMark urgency={item.urgency} />
      <div className={styles.body}>
        <div className={styles.line}>
          <strong className={styles.kind}>{t(`attention.kind.${item.kind}.name`)}</strong>
          <a
            className={link.open}
            href={routeHash(subjectRoute(item))}
            data-row
            onKeyDown={(event) => moveToRow(event, "ul", PAGE)}
          >
            <ForeignText text={subjectName(item, t)} id />
          </a>
          <Details item={item} />
          {resolved && <span className={styles.resolved}>{t("attention.resolved")}</span>}
        </div>
        <p className={styles.meaning}>{t(`attention.kind.${item.kind}.meaning`)}</p>
        <p className={styles.next}>
          {t(`attention.kind.${item.kind}.next`)}{" "}
          <span className={styles.who}>
            {t("attention.responderLine", { who: t(`attention.responder.${item.responder}`) })}
          </span>
        </p>
        <Evidence item={item} />
        {!resolved && <Acknowledge item={item} name={subjectName(item, t)} />}
      </div>
      <div className={styles.door}>
        {!resolved && <NextButton item={item} name={subjectName(item, t)} />}
        {!resolved && leadsToRecovery(item) && <RecoveryLink runId={item.runId} lockId={item.lockRecordId} />}
      </div>
    </li>
  );
});

function Details({ item }: { readonly item: AttentionEntry }) {
  const { t } = useTranslation();
  return (
    <>
      {item.attemptNo !== null && (
        <span className={styles.quiet}>{t("attention.attempt", { no: item.attemptNo })}</span>
      )}
      {item.code !== null && (
        <span className={face.mono}>
          <GuidanceLink code={item.code} />
          {item.repeated !== null && ` ${t("attention.times", { count: item.repeated })}`}
        </span>
      )}
      <Since item={item} />
    </>
  );
}

function Since({ item }: { readonly item: AttentionEntry }) {
  const { t } = useTranslation();
  const timeZone = useTimeZone();
  const language = useLanguage();
  if (item.since === null) return <span className={styles.since}>{t("attention.sinceUnknown")}</span>;
  const { at, precision } = item.since;
  return (
    <span className={styles.since}>
      <time dateTime={at}>{t("attention.since", { time: minuteText(at, timeZone, language) })}</time>
      {precision === "minute" && <MinuteMark />}
      {" · "}
      <Ago at={at} />
    </span>
  );
}

/** Hours of a day, from where on days are easier to grasp. */
const HOURS_TOLD = 48;

function Ago({ at }: { readonly at: string }) {
  const { t } = useTranslation();
  const ago = agoOf(at, useNow());
  if (ago.unit === "now") return t("freshness.ago.now");
  if (ago.unit === "hours" && ago.count >= HOURS_TOLD) {
    return t("attention.daysAgo", { count: Math.floor(ago.count / 24) });
  }
  return t(`freshness.ago.${ago.unit}`, { count: ago.count });
}

function Evidence({ item }: { readonly item: AttentionEntry }) {
  const { t } = useTranslation();
  const { attention } = useStores();
  const open = useStore(attention.store, (state) => state.open.has(item.id));
  const id = useId();
  return (
    <>
      <button
        type="button"
        className={styles.toggle}
        aria-expanded={open}
        aria-controls={id}
        aria-label={t("attention.evidenceOf", { what: markedText(subjectName(item, t), true) })}
        onClick={() => attention.toggle(item.id)}
      >
        <svg width="12" height="12" viewBox="0 0 12 12" fill="none" stroke="currentColor" aria-hidden="true">
          <path d={open ? "M2.5 4.5L6 8l3.5-3.5" : "M4.5 2.5L8 6 4.5 9.5"} strokeWidth="1.5" />
        </svg>
        {t("attention.evidence")}
      </button>
      <div id={id} hidden={!open}>
        {open && <Facts facts={item.facts} />}
      </div>
    </>
  );
}
