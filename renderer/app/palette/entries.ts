import type { TFunction } from "i18next";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import type { Network, RunRow } from "../../../shared/api/index.ts";
import { useStores } from "../../state/context.tsx";
import { AREAS } from "../navigation.tsx";
import { goTo } from "../use-route.ts";
import { useCommands } from "./commands.ts";
import type { Entry } from "./rank.ts";

/** Everything the palette can offer for what is typed now. */
export function useEntries(): readonly Entry[] {
  const { t } = useTranslation();
  const { palette, workspace } = useStores();
  const runs = useStore(palette.store, (state) => state.runs);
  const networks = useStore(workspace.store, (state) => state.networks.value);
  const commands = useCommands();
  return useMemo(
    () => [
      ...pages(t),
      ...runs.map((run) => runEntry(run, t)),
      ...networkEntries(networks ?? [], t),
      ...commands,
    ],
    [t, runs, networks, commands],
  );
}

const pages = (t: TFunction): readonly Entry[] =>
  AREAS.map((area) => ({
    id: `page ${area.name}`,
    kind: "page",
    label: t(`nav.${area.name}`),
    also: [area.name],
    run: () => goTo(area.route),
  }));

const runEntry = ({ runId, businessKey, networkId, status }: RunRow, t: TFunction): Entry => ({
  id: `run ${runId}`,
  kind: "run",
  label: businessKey,
  detail: `${networkId} · ${t(`status.run.${status}`)}`,
  also: [runId],
  run: () => goTo({ page: "run", runId }),
});

function networkEntries(networks: readonly Network[], t: TFunction): readonly Entry[] {
  return networks.flatMap(({ networkId, nodes }) => {
    const run = (): void => goTo({ page: "runs", filter: { networkId } });
    const network: Entry = {
      id: `network ${networkId}`,
      kind: "network",
      label: networkId,
      detail: t("frame.palette.networkRuns"),
      run,
    };
    const parts = nodes.map(
      (node): Entry => ({
        id: `node ${networkId} ${node.id}`,
        kind: "node",
        label: node.id,
        detail: networkId,
        also: [node.jobId],
        run: () => goTo({ page: "runs", filter: { networkId, view: "grid" } }),
      }),
    );
    return [network, ...parts];
  });
}
