import { useCallback, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { type LogFile, MAX_LOG_LINES } from "../../shared/api/index.ts";
import { keyFacts } from "../app/shortcuts.ts";
import page from "../components/page.module.css";
import { ProblemPanel } from "../components/problem.tsx";
import { useStores } from "../state/context.tsx";
import { FileChoice } from "./file-choice.tsx";
import { type LogKey, logKeyOf } from "./keys.ts";
import { LineDetail } from "./line-detail.tsx";
import { plainLine } from "./line-parts.ts";
import styles from "./log.module.css";
import { LogFoot } from "./log-foot.tsx";
import { LogList } from "./log-list.tsx";
import { LogSearch } from "./log-search.tsx";
import { LogTools } from "./log-tools.tsx";
import { between, type Selection } from "./stretch.ts";

interface LogPaneProps {
  readonly files: readonly LogFile[];
  readonly over: boolean;
}

/** One log: its end first, every line of it within reach (operator-ux §1.3, §3.2). */
export function LogPane({ files, over }: LogPaneProps) {
  const { logs } = useStores();
  const name = useStore(logs.store, (state) => state.name);
  const problem = useStore(logs.store, (state) => state.problem);
  const gone = useStore(logs.store, (state) => state.file?.gone === true);
  const [wrap, setWrap] = useState(false);
  const { selection, select, copy } = useSelection(name);
  useHitInSight(select);
  useLogKeys((key) => {
    if (key === "next" || key === "previous") logs.step(key === "next" ? 1 : -1);
    if (key === "follow") logs.setFollowing(!logs.store.getState().following);
    if (key === "first") select({ line: 0, anchor: 0 });
    if (key === "last") logs.setFollowing(true);
    return key === "next" || key === "previous" || key === "follow" || key === "first" || key === "last";
  });
  return (
    <div className={page.section}>
      <div className={styles.bar}>
        <FileChoice files={files} name={name} />
        <span className={page.spacer} />
        <LogTools
          wrap={wrap}
          onWrap={setWrap}
          onGoTo={(line) => select({ line, anchor: line })}
          onCopy={copy}
          copies={selection !== null}
          over={over}
        />
      </div>
      <LogSearch />
      {problem && !gone && <ProblemPanel problem={problem} />}
      <div className={over ? `${styles.log} ${styles.over}` : styles.log}>
        <LogList wrap={wrap} selection={selection} onSelect={select} onCopy={copy} />
      </div>
      <LogFoot over={over} />
      {selection !== null && <LineDetail line={selection.line} />}
    </div>
  );
}

/** A selection, and the content it was made in: lines of another one have nothing to do with it. */
interface Made {
  readonly selection: Selection;
  readonly content: string;
}

/** The selection of one file; copying takes it from main, so that lines out of sight come along. */
function useSelection(name: string | null) {
  const { t } = useTranslation();
  const { logs, announcer } = useStores();
  const [made, setMade] = useState<Made | null>(null);
  const generation = useStore(logs.store, (state) => state.file?.generation);
  const content = `${name}/${generation}`;
  const selection = made?.content === content ? made.selection : null;
  const select = useCallback(
    (next: Selection): void => {
      const { shown } = logs.store.getState();
      if (shown === 0) return;
      const inside = (line: number): number => Math.min(Math.max(0, line), shown - 1);
      logs.setFollowing(false);
      setMade({ content, selection: { line: inside(next.line), anchor: inside(next.anchor) } });
    },
    [logs, content],
  );
  const copy = async (): Promise<void> => {
    if (selection === null) return;
    const [first, last] = between(selection.anchor, selection.line);
    const count = last - first + 1;
    if (count > MAX_LOG_LINES) return announcer.say(t("run.log.copyTooMany", { count: MAX_LOG_LINES }));
    const text = await logs.textOf(first, last);
    if (text === null) return;
    await navigator.clipboard.writeText(plainLine(text));
    announcer.say(t("run.log.copied", { count }));
  };
  return { selection, select, copy: () => void copy() };
}

/** Brings the hit that is stepped to into sight. */
function useHitInSight(select: (selection: Selection) => void): void {
  const { logs } = useStores();
  const line = useStore(logs.store, ({ search }) => search.hits[search.current]?.line);
  const counted = useStore(logs.store, (state) => state.counted);
  useEffect(() => {
    if (line !== undefined && counted) select({ line, anchor: line });
  }, [line, counted, select]);
}

/** The letters of the log, wherever on the page nothing is typed. */
function useLogKeys(act: (key: LogKey) => boolean): void {
  const latest = useRef(act);
  latest.current = act;
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.defaultPrevented) return;
      const key = logKeyOf(keyFacts(event), false);
      if (key !== null && latest.current(key)) event.preventDefault();
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, []);
}
