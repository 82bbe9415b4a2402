import { type RefObject, useEffect, useRef } from "react";
import { useStore } from "zustand";
import { useStores } from "../state/context.tsx";
import { ROW } from "./row.ts";
import type { Selection, Stretch } from "./stretch.ts";

type ScrollTo = (index: number, options?: { readonly align: "end" | "auto" | "center" }) => void;

/** Where the list stands, for whoever moves it. */
interface Place {
  readonly stretch: Stretch;
  /** Rows in the document; null before the first layout. */
  readonly inSight: { readonly startIndex: number; readonly endIndex: number } | null;
  /** Of all rows, in CSS pixels: wrapped ones are as high as they turn out to be. */
  readonly size: number;
  readonly scrollTo: ScrollTo;
}

/** Stays at the end while it is followed, and starts there; also when rows turn out higher than they were taken for. */
export function useEndInSight(total: number, { stretch, size, scrollTo }: Place): void {
  const { logs } = useStores();
  const following = useStore(logs.store, (state) => state.following);
  const last = stretch.count - 1;
  useEffect(() => {
    if (following && total > 0 && size > 0) scrollTo(last, { align: "end" });
  }, [following, total, last, size, scrollTo]);
}

/**
 * A line nearby is scrolled to, one from afar comes with what stands around it; until the operator scrolls on, it
 * stays in sight whatever the rows around it turn out to need.
 */
export function useSelectionInSight(
  frame: RefObject<HTMLDivElement | null>,
  selection: Selection | null,
  { stretch, inSight, size, scrollTo }: Place,
): void {
  const line = selection?.line;
  const { first } = stretch;
  const seen = useRef(inSight);
  seen.current = inSight;
  const held = useRef<number | null>(null);
  useEffect(() => {
    const element = frame.current;
    const release = (): void => {
      held.current = null;
    };
    const ending = new AbortController();
    for (const kind of ["wheel", "pointerdown"]) {
      element?.addEventListener(kind, release, { passive: true, signal: ending.signal });
    }
    return () => ending.abort();
  }, [frame]);
  useEffect(() => {
    if (line === undefined) return;
    const at = line - first;
    const { startIndex, endIndex } = seen.current ?? { startIndex: 0, endIndex: 0 };
    const near = at >= startIndex - 2 && at <= endIndex + 2;
    held.current = at;
    scrollTo(at, { align: near ? "auto" : "center" });
  }, [line, first, scrollTo]);
  useEffect(() => {
    if (held.current !== null && size > 0) scrollTo(held.current, { align: "auto" });
  }, [size, scrollTo]);
}

/** Whoever scrolls up wants to read, and no more to be moved. */
export function useUserScroll(frame: RefObject<HTMLDivElement | null>): void {
  const { logs } = useStores();
  useEffect(() => {
    const element = frame.current;
    if (element === null) return;
    let held = false;
    const pause = (): void => {
      if (logs.store.getState().following) logs.setFollowing(false);
    };
    const onWheel = (event: WheelEvent): void => {
      if (event.deltaY < 0) pause();
    };
    const onScroll = (): void => {
      const { scrollHeight, scrollTop, clientHeight } = element;
      if (held && scrollHeight - scrollTop - clientHeight > ROW * 2) pause();
    };
    const hold = (): void => {
      held = true;
    };
    const release = (): void => {
      held = false;
    };
    const ending = new AbortController();
    const options = { passive: true, signal: ending.signal };
    element.addEventListener("wheel", onWheel, options);
    element.addEventListener("scroll", onScroll, options);
    element.addEventListener("pointerdown", hold, options);
    window.addEventListener("pointerup", release, options);
    return () => ending.abort();
  }, [frame, logs]);
}
