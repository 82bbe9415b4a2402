import { Select, Spinner } from "@fluentui/react-components";
import { useEffect, useId } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import type { RunGrid } from "../../shared/api/index.ts";
import filters from "../components/filters.module.css";
import page from "../components/page.module.css";
import { ProblemPanel } from "../components/problem.tsx";
import { useSecondText } from "../components/text.tsx";
import { useStaleness, useStores } from "../state/context.tsx";
import { GRID_SIZES } from "../state/run-grid.ts";
import { NodeGrid } from "./node-grid.tsx";

/** Nodes of the last Runs of one network, side by side (operator-ux §1.1, grid). */
export function RunsGrid({ networkId }: { readonly networkId: string | undefined }) {
  const { t } = useTranslation();
  const { runGrid } = useStores();
  useEffect(() => {
    if (networkId === undefined) return;
    void runGrid.open(networkId);
    return () => runGrid.close();
  }, [runGrid, networkId]);
  if (networkId === undefined) {
    return (
      <div className={page.empty}>
        <p>{t("runs.grid.chooseNetwork")}</p>
      </div>
    );
  }
  return <GridBody />;
}

function GridBody() {
  const { t } = useTranslation();
  const { runGrid } = useStores();
  const { grid } = useStore(runGrid.store);
  const staleness = useStaleness();
  const old = staleness === "stale" || staleness === "lost";
  return (
    <>
      {grid.problem && (
        <ProblemPanel
          problem={grid.problem}
          action={{ label: t("problem.retry"), run: () => void runGrid.reload() }}
        />
      )}
      {grid.value === null && grid.problem === null && (
        <Spinner size="tiny" label={t("runs.grid.loading")} labelPosition="after" />
      )}
      {grid.value !== null && grid.value.nodeIds.length === 0 && (
        <div className={page.empty}>
          <p>{t("runs.grid.empty")}</p>
        </div>
      )}
      {grid.value !== null && grid.value.nodeIds.length > 0 && (
        <div className={`${page.section} ${old ? page.stale : ""}`}>
          <GridSizeChoice grid={grid.value} />
          <NodeGrid grid={grid.value} />
        </div>
      )}
    </>
  );
}

function GridSizeChoice({ grid }: { readonly grid: RunGrid }) {
  const { t } = useTranslation();
  const { runGrid } = useStores();
  const size = useStore(runGrid.store, (state) => state.size);
  const secondText = useSecondText();
  const id = useId();
  return (
    <div className={filters.filters}>
      <span className={filters.filter}>
        <label htmlFor={id}>{t("runs.grid.size")}</label>
        <Select
          id={id}
          size="small"
          value={String(size)}
          onChange={(_, { value }) => {
            const wanted = GRID_SIZES.find((each) => String(each) === value);
            if (wanted !== undefined) void runGrid.setSize(wanted);
          }}
        >
          {GRID_SIZES.map((each) => (
            <option key={each} value={each}>
              {t("runs.grid.sizeOption", { count: each })}
            </option>
          ))}
        </Select>
      </span>
      <span className={page.quiet}>{t("runs.grid.shown", { count: grid.runs.length })}</span>
      <span className={page.quiet}>{t("gridAge.readAt", { time: secondText(grid.readAt) })}</span>
    </div>
  );
}
