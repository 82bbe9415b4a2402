import { Button, Spinner } from "@fluentui/react-components";
import { type FocusEvent, useCallback, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import page from "../components/page.module.css";
import { useStaleness, useStores } from "../state/context.tsx";
import styles from "./attention.module.css";
import { AttentionLine } from "./attention-row.tsx";
import { EmptyAttention, SourceProblems, Sources } from "./sources.tsx";

/** 要対応, the home page: what needs somebody, most urgent first, with what it means, what to do, and who. */
export function AttentionPage() {
  const { t } = useTranslation();
  const { attention } = useStores();
  const picture = useStore(attention.store, (state) => state.picture);
  const rows = useStore(attention.store, (state) => state.shown.rows);
  const staleness = useStaleness();
  const old = staleness === "stale" || staleness === "lost";
  // Leaving the page ends the holding: nobody is in the list any more.
  useEffect(() => () => attention.hold(false), [attention]);
  return (
    <div className={page.page}>
      <div className={page.head}>
        <h1 className={page.title}>{t("attention.title")}</h1>
        {picture && <span className={page.quiet}>{t("attention.count", { count: picture.total })}</span>}
        <span className={page.spacer} />
        <Reorder />
      </div>
      {picture === null ? (
        <Spinner size="tiny" label={t("attention.reading")} labelPosition="after" />
      ) : (
        <>
          <SourceProblems picture={picture} />
          <div className={`${page.section} ${old ? page.stale : ""}`}>
            {rows.length > 0 ? <List /> : <EmptyAttention picture={picture} />}
            {picture.total > picture.items.length && (
              <p className={page.quiet}>
                {t("attention.cut", {
                  shown: picture.items.length,
                  count: picture.total - picture.items.length,
                })}
              </p>
            )}
            <Sources picture={picture} />
          </div>
        </>
      )}
    </div>
  );
}

function List() {
  const { t } = useTranslation();
  const { attention } = useStores();
  const rows = useStore(attention.store, (state) => state.shown.rows);
  const [shown, setShown] = useState(STEP);
  // Another function after each step, so that the end is looked at again.
  const more = useCallback(() => setShown(shown + STEP), [shown]);
  const list = useRef<HTMLUListElement>(null);
  const first = useRef<number | null>(null);
  // The button is gone with the last rows: whoever pressed it goes on at the first that it brought.
  useEffect(() => {
    const row = first.current === null ? undefined : list.current?.children[first.current];
    first.current = null;
    if (shown > STEP) row?.querySelector<HTMLElement>("a[data-row], button")?.focus();
  }, [shown]);
  const press = (): void => {
    first.current = shown;
    more();
  };
  const leave = (event: FocusEvent<HTMLUListElement>): void => {
    if (!event.currentTarget.contains(event.relatedTarget)) attention.hold(false);
  };
  return (
    <ul
      ref={list}
      className={styles.list}
      aria-label={t("attention.caption")}
      onPointerEnter={() => attention.hold(true)}
      onPointerLeave={(event) => {
        if (!event.currentTarget.contains(document.activeElement)) attention.hold(false);
      }}
      onFocus={() => attention.hold(true)}
      onBlur={leave}
    >
      {rows.slice(0, shown).map((row) => (
        <AttentionLine key={row.item.id} row={row} />
      ))}
      {rows.length > shown && <More rest={rows.length - shown} onMore={more} onPress={press} />}
    </ul>
  );
}

/** Rows made at once, and more of them as their end comes near: hundreds at once would hold the page up (operator-ux §3.2). */
const STEP = 40;
/** How far below the window the end of the rows may be before more are made. */
const AHEAD = "800px";

interface MoreProps {
  readonly rest: number;
  readonly onMore: () => void;
  readonly onPress: () => void;
}

/** The end of the rows made so far: scrolling near it makes more, and so does the button for whoever does not scroll. */
function More({ rest, onMore, onPress }: MoreProps) {
  const { t } = useTranslation();
  const end = useRef<HTMLLIElement>(null);
  useEffect(() => {
    const element = end.current;
    if (element === null) return;
    const watcher = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) onMore();
      },
      { rootMargin: AHEAD },
    );
    watcher.observe(element);
    return () => watcher.disconnect();
    // Rows that were made may leave the end in sight: it is looked at again after each step.
  }, [onMore]);
  return (
    <li ref={end} className={styles.more}>
      <Button size="small" onClick={onPress}>
        {t("attentionList.more", { count: rest })}
      </Button>
    </li>
  );
}

/** Offers the order of now while the list stands still; nothing to offer, no button. */
function Reorder() {
  const { t } = useTranslation();
  const { attention } = useStores();
  const waiting = useStore(attention.store, (state) => state.shown.waiting);
  if (waiting === 0) return null;
  return (
    <Button size="small" onClick={() => attention.reorder()}>
      {t("attention.reorder", { count: waiting })}
    </Button>
  );
}
