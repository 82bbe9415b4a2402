import { createContext, useContext, useEffect, useState } from "react";
import { useStore } from "zustand";
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

/** The language of this window. */
export function useLanguage() {
  return useStore(useStores().preferences.store, (state) => state.language);
}
