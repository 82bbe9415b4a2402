import { useMemo } from "react";
import { useStore } from "zustand";
import { useStores } from "../state/context.tsx";
import { type Fault, faultsOf } from "./faults.ts";

/** What keeps the typed settings from being saved. What was read is not judged again. */
export function useFaults(): readonly Fault[] {
  const draft = useStore(useStores().settings.store, (state) => state.draft);
  const rolesDraft = useStore(useStores().settings.store, (state) => state.rolesDraft);
  return useMemo(() => faultsOf(draft, rolesDraft), [draft, rolesDraft]);
}
