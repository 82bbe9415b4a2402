import { useTranslation } from "react-i18next";
import { goTo } from "../app/use-route.ts";
import { Segments } from "../components/segments.tsx";
import { narrowRuns } from "./narrow.ts";
import { RUN_VIEWS, type RunFilter } from "./run-filter.ts";

/** The ways to look at Runs: one by one, by nodes, and a day of all networks. */
const VIEWS = [...RUN_VIEWS, "day"] as const;
type View = (typeof VIEWS)[number];

interface ViewChoiceProps {
  readonly view: View;
  /** What the list is narrowed to, which the list and the grid keep. */
  readonly filter: RunFilter;
}

export function ViewChoice({ view, filter }: ViewChoiceProps) {
  const { t } = useTranslation();
  const choose = (wanted: View): void => {
    const view = wanted === "grid" ? wanted : undefined;
    if (wanted === "day") goTo({ page: "timeline" });
    else narrowRuns(filter, { view });
  };
  return (
    <Segments
      label={t("runs.view.label")}
      name="runs-view"
      value={view}
      segments={VIEWS.map((value) => ({
        value,
        label: value === "day" ? t("day.view") : t(`runs.view.${value}`),
      }))}
      onChoose={choose}
    />
  );
}
