import { type ComponentType, createElement, lazy, type ReactNode, useMemo } from "react";

/** A component in a chunk of its own. */
export interface PageCode<Props> {
  /** Fetches it ahead of its opening; rejects when it cannot be had. */
  fetch(): Promise<void>;
  /** The component once it was fetched. */
  now(): ComponentType<Props> | null;
  /** The same, waiting for its code. */
  readonly later: ComponentType<Props>;
}

/** The code of a component that is fetched when it is wanted, or ahead of that. */
export function pageCode<Props extends object>(load: () => Promise<ComponentType<Props>>): PageCode<Props> {
  let fetched: ComponentType<Props> | null = null;
  const fetch = async (): Promise<{ default: ComponentType<Props> }> => {
    fetched = await load();
    return { default: fetched };
  };
  return {
    async fetch() {
      await fetch();
    },
    now: () => fetched,
    later: lazy<ComponentType<Props>>(fetch),
  };
}

interface FetchedProps<Props> {
  readonly code: PageCode<Props>;
  readonly given: Props;
}

/**
 * Draws a component of its own chunk, at once when its code is here. `lazy` alone would suspend at its first drawing
 * even then, and React holds back what follows a fallback for 300 ms (operator-ux §3.2, interaction).
 */
export function Fetched<Props extends object>({ code, given }: FetchedProps<Props>): ReactNode {
  // Decided once a mount: another type later would throw away what the page holds.
  const type = useMemo(() => code.now() ?? code.later, [code]);
  return createElement(type, given);
}
