import { useTranslation } from "react-i18next";
import { goTo } from "../app/use-route.ts";
import { changedFilter, RUN_VIEWS, type RunFilter } from "./run-filter.ts";
import styles from "./runs.module.css";

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
    else goTo({ page: "runs", filter: changedFilter(filter, { view }) });
  };
  return (
    <fieldset className={styles.views}>
      <legend className={styles.hidden}>{t("runs.view.label")}</legend>
      {VIEWS.map((each) => (
        <label key={each} className={styles.view} data-chosen={each === view}>
          <input
            type="radio"
            name="runs-view"
            value={each}
            checked={each === view}
            onChange={() => choose(each)}
          />
          {each === "day" ? t("day.view") : t(`runs.view.${each}`)}
        </label>
      ))}
    </fieldset>
  );
}
