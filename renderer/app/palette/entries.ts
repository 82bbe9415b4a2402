import type { TFunction } from "i18next";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import type { Network, RunRow } from "../../../shared/api/index.ts";
import { useRunCommands } from "../../action/run-commands.ts";
import { guidanceWords, LISTED_CODES } from "../../guidance/words.ts";
import { useLanguage, useStores } from "../../state/context.tsx";
import type { Language } from "../../text/i18n.ts";
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
  const actions = useRunCommands();
  const language = useLanguage();
  return useMemo(
    () => [
      ...pages(t),
      ...runs.map((run) => runEntry(run, t)),
      ...networkEntries(networks ?? [], t),
      ...guidanceEntries(t, language),
      ...actions,
      ...commands,
    ],
    [t, language, runs, networks, actions, commands],
  );
}

const pages = (t: TFunction): readonly Entry[] => [
  ...AREAS.map(
    (area): Entry => ({
      id: `page ${area.name}`,
      kind: "page",
      label: t(`nav.${area.name}`),
      also: [area.name],
      run: () => goTo(area.route),
    }),
  ),
  {
    id: "page timeline",
    kind: "page",
    label: t("day.title"),
    also: ["timeline"],
    run: () => goTo({ page: "timeline" }),
  },
];

/** Result codes lead to what they mean (operator-ux §1.2). */
const guidanceEntries = (t: TFunction, language: Language): readonly Entry[] =>
  LISTED_CODES.map((code) => ({
    id: `guidance ${code}`,
    kind: "guidance",
    label: code,
    detail: guidanceWords(code, t, language).cause,
    run: () => goTo({ page: "guidance", code }),
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
