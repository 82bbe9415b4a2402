import { createContext, useContext, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { agoOf } from "../text/time.ts";
import { type Staleness, stalenessOf } from "./live.ts";
import type { Stores } from "./stores.ts";

const StoresContext = createContext<Stores | null>(null);
export const StoresProvider = StoresContext.Provider;

/** The stores of this window. */
export function useStores(): Stores {
  const stores = useContext(StoresContext);
  if (stores === null) throw new Error("no stores above this component");
  return stores;
}

/** The one zone of the window; UTC until the workspace said. */
export function useTimeZone(): string {
  return useStore(useStores().workspace.store, (state) => state.info.value?.timeZone ?? "UTC");
}

/** The present, once a second, for ages. Epoch milliseconds. */
export function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return now;
}

/** Whether what is shown may be acted upon. */
export function useStaleness(): Staleness {
  const live = useStore(useStores().live.store);
  return stalenessOf(live, useNow());
}

/** Why nothing may be changed from this window now, or null. Main asks the same of every call (operator-ux §1.1). */
export type Gate = "stale" | "clock" | "mode" | null;

/** Lights and greys what changes something; the picture must be fresh, the clock right and the mode one for operating. */
export function useGate(): Gate {
  const staleness = useStaleness();
  const mode = useStore(useStores().workspace.store, (state) => state.info.value?.mode);
  const verdict = useStore(useStores().live.store, (state) => state.clock?.verdict);
  if (staleness === "stale" || staleness === "lost") return "stale";
  if (verdict === "wrong") return "clock";
  return mode === "view" ? "mode" : null;
}

/** Whether kintone is out of reach: what is shown is old, or kept from before the start (electron-desktop N8). */
export function useOffline(): boolean {
  const freshness = useStore(useStores().live.store, (state) => state.freshness);
  const staleness = useStaleness();
  if (freshness === null) return false;
  return freshness.origin === "kept" || (staleness === "stale" && freshness.problem !== null);
}

/** How long ago a moment was, in words; that it is being read while there was none yet. */
export function useAge(at: string | null): string {
  const { t } = useTranslation();
  const now = useNow();
  if (at === null) return t("freshness.reading");
  const ago = agoOf(at, now);
  return ago.unit === "now" ? t("freshness.ago.now") : t(`freshness.ago.${ago.unit}`, { count: ago.count });
}

/** The language of this window. */
export function useLanguage() {
  return useStore(useStores().preferences.store, (state) => state.language);
}
