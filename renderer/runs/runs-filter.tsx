import { Input } from "@fluentui/react-components";
import { useTranslation } from "react-i18next";
import { ACTIVITIES, RUN_STATUSES } from "../../shared/domain/model.ts";
import { replaceRoute } from "../app/use-route.ts";
import filters from "../components/filters.module.css";
import { Choice, Labelled, NetworkChoice, TextFilter } from "../components/filters.tsx";
import { narrowRuns } from "./narrow.ts";
import type { RunFilter } from "./run-filter.ts";
import { ViewChoice } from "./view-choice.tsx";

/** What the list shows; it lives in the address, so that a filtered list can be passed on. */
export function RunsFilter({ filter }: { readonly filter: RunFilter }) {
  const { t } = useTranslation();
  const set = (change: Parameters<typeof narrowRuns>[1]): void => narrowRuns(filter, change);
  const grid = filter.view === "grid";
  return (
    <search className={filters.filters} aria-label={t("runs.filter.label")}>
      <ViewChoice view={filter.view ?? "list"} filter={filter} />
      <NetworkChoice networkId={filter.networkId} onChoose={(networkId) => set({ networkId })} />
      {!grid && (
        <>
          <Choice
            label={t("runs.filter.status")}
            value={filter.status}
            options={RUN_STATUSES.map((status) => [status, t(`status.run.${status}`)])}
            onChoose={(value) => set({ status: RUN_STATUSES.find((each) => each === value) })}
          />
          <Choice
            label={t("runs.filter.activity")}
            value={filter.activity}
            options={ACTIVITIES.map((activity) => [activity, t(`activity.name.${activity}`)])}
            onChoose={(value) => set({ activity: ACTIVITIES.find((each) => each === value) })}
          />
          <TextFilter
            label={t("runs.filter.text")}
            hint={t("runs.filter.textHint")}
            text={filter.text ?? ""}
            onText={(text) => narrowRuns(filter, { text }, replaceRoute)}
          />
          <Day label={t("runs.filter.from")} day={filter.from} onDay={(from) => set({ from })} />
          <Day label={t("runs.filter.to")} day={filter.to} onDay={(to) => set({ to })} />
        </>
      )}
    </search>
  );
}

interface DayProps {
  readonly label: string;
  readonly day: string | undefined;
  readonly onDay: (day: string | undefined) => void;
}

function Day({ label, day, onDay }: DayProps) {
  return (
    <Labelled label={label}>
      {(id) => (
        <Input
          id={id}
          size="small"
          type="date"
          value={day ?? ""}
          onChange={(_, { value }) => onDay(value || undefined)}
        />
      )}
    </Labelled>
  );
}
