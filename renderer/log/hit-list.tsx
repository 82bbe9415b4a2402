import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { useLanguage, useStores } from "../state/context.tsx";
import { LineText } from "./line-text.tsx";
import styles from "./log.module.css";

const ROW = 24;

/** The lines found, each a way to it. */
export function HitList() {
  const { t } = useTranslation();
  const { logs } = useStores();
  const { hits, current, text, matchCase } = useStore(logs.store, (state) => state.search);
  const number = new Intl.NumberFormat(useLanguage());
  const frame = useRef<HTMLElement>(null);
  const rows = useVirtualizer<HTMLElement, HTMLElement>({
    count: hits.length,
    getScrollElement: () => frame.current,
    estimateSize: () => ROW,
    overscan: 6,
    useFlushSync: false,
  });
  const { scrollToIndex } = rows;
  useEffect(() => {
    if (current >= 0) scrollToIndex(current);
  }, [current, scrollToIndex]);
  if (hits.length === 0) return null;
  return (
    <nav className={styles.hits} ref={frame} aria-label={t("run.log.hitsLabel")}>
      <div className={styles.canvas} style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ index, start }) => {
          const hit = hits[index];
          if (hit === undefined) return null;
          return (
            <button
              key={hit.line}
              type="button"
              className={styles.hit}
              style={{ transform: `translateY(${start}px)` }}
              aria-current={index === current ? "true" : undefined}
              tabIndex={index === Math.max(0, current) ? 0 : -1}
              onClick={() => logs.showHit(index)}
            >
              <span className={styles.number}>{number.format(hit.line + 1)}</span>
              <span className={styles.text}>
                <LineText text={hit.excerpt} sought={text} matchCase={matchCase} />
              </span>
            </button>
          );
        })}
      </div>
    </nav>
  );
}
