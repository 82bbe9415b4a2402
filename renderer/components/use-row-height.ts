import { useSyncExternalStore } from "react";

/** Row heights in CSS pixels (screens, house style); `--row-height` says the same to style sheets. */
const COMPACT = 32;
const COMFORTABLE = 40;

function subscribe(listener: () => void): () => void {
  const observer = new MutationObserver(listener);
  observer.observe(document.documentElement, { attributeFilter: ["data-density"] });
  return () => observer.disconnect();
}

const read = (): number =>
  document.documentElement.dataset.density === "comfortable" ? COMFORTABLE : COMPACT;

/** The height of a row as the document is marked with, which the frame does by the operator's choice. */
export function useRowHeight(): number {
  return useSyncExternalStore(subscribe, read);
}
