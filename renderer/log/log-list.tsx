import { Button } from "@fluentui/react-components";
import { useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, type MouseEvent, type RefObject, useEffect, useId, useRef } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import type { LogLine } from "../../shared/api/index.ts";
import { keyFacts } from "../app/shortcuts.ts";
import { useLanguage, useStores } from "../state/context.tsx";
import { useFileLabel } from "./file-choice.tsx";
import { logKeyOf } from "./keys.ts";
import { SHOWN_CHARACTERS } from "./line-parts.ts";
import { LineText } from "./line-text.tsx";
import styles from "./log.module.css";
import { ROW } from "./row.ts";
import { between, type Selection, STRETCH_LINES, type Stretch, stretchOf } from "./stretch.ts";
import { useEndInSight, useSelectionInSight, useUserScroll } from "./use-log-scroll.ts";

const OVERSCAN = 12;

interface LogListProps {
  readonly wrap: boolean;
  readonly selection: Selection | null;
  readonly onSelect: (selection: Selection) => void;
  readonly onCopy: () => void;
}

/** The lines, of which only those in sight are in the document (operator-ux §3.2). */
export function LogList({ wrap, selection, onSelect, onCopy }: LogListProps) {
  const { t } = useTranslation();
  const { logs } = useStores();
  const id = useId();
  const frame = useRef<HTMLDivElement>(null);
  const labelOf = useFileLabel();
  const name = useStore(logs.store, (state) => state.name);
  const total = useStore(logs.store, (state) =>
    state.counted ? state.shown : (state.tail?.lines.length ?? 0),
  );
  const following = useStore(logs.store, (state) => state.following);
  const stretch = stretchOf(following ? total - 1 : (selection?.line ?? total - 1), total);
  const rows = useVirtualizer<HTMLDivElement, HTMLDivElement>({
    count: Math.max(0, stretch.count),
    getScrollElement: () => frame.current,
    estimateSize: () => ROW,
    overscan: OVERSCAN,
    useFlushSync: false,
  });
  const { scrollToIndex } = rows;
  const place = { stretch, inSight: rows.range, size: rows.getTotalSize(), scrollTo: scrollToIndex };
  useEndInSight(total, place);
  useSelectionInSight(frame, selection, place);
  const items = rows.getVirtualItems();
  useWanted(stretch.first + (items.at(0)?.index ?? 0), stretch.first + (items.at(-1)?.index ?? 0), total);
  useUserScroll(frame);
  const onKeyDown = useKeys({ frame, selection, onSelect, onCopy, total });
  const onClick = (event: MouseEvent<HTMLElement>): void => {
    const row = (event.target as HTMLElement).closest<HTMLElement>("[data-line]");
    const line = Number(row?.dataset.line);
    if (row === null || Number.isNaN(line)) return;
    onSelect({ line, anchor: event.shiftKey && selection !== null ? selection.anchor : line });
  };
  const chosen = selection === null ? null : between(selection.anchor, selection.line);
  return (
    <>
      {stretch.of > 1 && <Stretches stretch={stretch} onSelect={onSelect} />}
      <div
        ref={frame}
        className={styles.frame}
        data-wrap={wrap}
        role="listbox"
        tabIndex={0}
        aria-multiselectable="true"
        aria-label={t("run.log.label", { file: name === null ? "" : labelOf(name) })}
        aria-activedescendant={selection === null ? undefined : `${id}-${selection.line}`}
        onKeyDown={onKeyDown}
        onClick={onClick}
      >
        <div className={styles.canvas} role="presentation" style={{ height: rows.getTotalSize() }}>
          {items.map(({ index, start, key }) => {
            const line = stretch.first + index;
            return (
              <LogRow
                key={key}
                id={`${id}-${line}`}
                line={line}
                index={index}
                start={start}
                total={total}
                measure={wrap ? rows.measureElement : undefined}
                selected={chosen !== null && line >= chosen[0] && line <= chosen[1]}
                current={line === selection?.line}
              />
            );
          })}
        </div>
      </div>
    </>
  );
}

interface LogRowProps {
  readonly id: string;
  readonly line: number;
  readonly index: number;
  readonly start: number;
  readonly total: number;
  readonly measure: ((element: HTMLDivElement | null) => void) | undefined;
  readonly selected: boolean;
  readonly current: boolean;
}

function LogRow({ id, line, index, start, total, measure, selected, current }: LogRowProps) {
  const { logs } = useStores();
  const { t } = useTranslation();
  const number = new Intl.NumberFormat(useLanguage());
  const counted = useStore(logs.store, (state) => state.counted);
  const found = useStore(logs.store, (state) =>
    state.counted ? state.lines.get(line) : state.tail?.lines[line],
  );
  const sought = useStore(logs.store, (state) => state.search.text);
  const matchCase = useStore(logs.store, (state) => state.search.matchCase);
  return (
    <div
      id={id}
      ref={measure}
      className={styles.row}
      style={{ transform: `translateY(${start}px)` }}
      role="option"
      tabIndex={-1}
      aria-selected={selected}
      aria-setsize={total}
      aria-posinset={line + 1}
      data-index={index}
      data-line={counted ? line : undefined}
      data-current={current}
    >
      <span className={styles.number}>{counted ? number.format(line + 1) : ""}</span>
      <span className={styles.text}>
        {found !== undefined && (
          <>
            <LineText text={shownOf(found)} sought={sought} matchCase={matchCase} />
            {restOf(found) > 0 && (
              <span className={styles.rest}>{t("run.log.rest", { size: number.format(restOf(found)) })}</span>
            )}
          </>
        )}
      </span>
    </div>
  );
}

const shownOf = ({ text }: LogLine): string => text.slice(0, SHOWN_CHARACTERS);

/** Bytes a row leaves out, about: characters beyond the shown ones count as one each. */
const restOf = ({ text, bytes, folded }: LogLine): number =>
  folded || text.length > SHOWN_CHARACTERS ? Math.max(0, bytes - SHOWN_CHARACTERS) : 0;

interface StretchesProps {
  readonly stretch: Stretch;
  readonly onSelect: (selection: Selection) => void;
}

function Stretches({ stretch, onSelect }: StretchesProps) {
  const { t } = useTranslation();
  const number = new Intl.NumberFormat(useLanguage());
  const { first, count } = stretch;
  const step = number.format(STRETCH_LINES);
  const go = (line: number): void => onSelect({ line, anchor: line });
  return (
    <div className={styles.bar}>
      <Button size="small" disabledFocusable={first === 0} onClick={() => first > 0 && go(first - 1)}>
        {t("run.log.earlier", { count: step })}
      </Button>
      <span>
        {t("run.log.stretch", { first: number.format(first + 1), last: number.format(first + count) })}
      </span>
      <Button
        size="small"
        disabledFocusable={stretch.number + 1 === stretch.of}
        onClick={() => stretch.number + 1 < stretch.of && go(first + count)}
      >
        {t("run.log.later", { count: step })}
      </Button>
    </div>
  );
}

/** Fetches what is in sight and not here. */
function useWanted(first: number, last: number, total: number): void {
  const { logs } = useStores();
  const counted = useStore(logs.store, (state) => state.counted);
  const known = useStore(logs.store, (state) => state.lines);
  // `known` changes with what came and with what was dropped: either may leave a gap in sight.
  useEffect(() => {
    if (counted && total > 0 && known.size >= 0) void logs.want(first, last);
  }, [logs, counted, first, last, total, known]);
}

interface KeysInput extends Omit<LogListProps, "wrap"> {
  readonly frame: RefObject<HTMLDivElement | null>;
  readonly total: number;
}

/** Moves the current line; with Shift the selection grows. */
function useKeys({ frame, selection, onSelect, onCopy, total }: KeysInput) {
  return (event: KeyboardEvent<HTMLElement>): void => {
    const key = logKeyOf(keyFacts(event.nativeEvent), true);
    const page = Math.max(1, Math.floor((frame.current?.clientHeight ?? 0) / ROW) - 1);
    const at = selection?.line ?? total;
    const steps = {
      up: at - 1,
      down: at + 1,
      pageUp: at - page,
      pageDown: at + page,
      first: 0,
      last: total - 1,
    };
    if (key === "copy") onCopy();
    else if (key !== null && key in steps) {
      const line = steps[key as keyof typeof steps];
      onSelect({ line, anchor: event.shiftKey && selection !== null ? selection.anchor : line });
    } else return;
    event.preventDefault();
  };
}
