import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import type { Entry } from "../app/palette/rank.ts";
import { useStores } from "../state/context.tsx";
import { RUN_KINDS, runIntent, titleOf } from "./names.ts";

/** The actions of the open Run, for the palette: each opens its form and nothing more (operator-ux §1.3). */
export function useRunCommands(): readonly Entry[] {
  const { t } = useTranslation();
  const { action, runDetail } = useStores();
  const run = useStore(runDetail.store, (state) => state.detail.value?.run ?? null);
  return useMemo(() => {
    if (run === null || run.lifecycle !== "ACTIVE") return [];
    const { runId, businessKey, networkId, profile } = run;
    const subject = { runId, businessKey, networkId, profile };
    return RUN_KINDS.map((kind) => ({
      id: `action ${kind}`,
      kind: "command" as const,
      label: titleOf(runIntent(kind, runId), subject, t),
      also: [kind],
      run: () => void action.open(runIntent(kind, runId), { subject }),
    }));
  }, [t, action, run]);
}
