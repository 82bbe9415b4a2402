import { Button, Spinner } from "@fluentui/react-components";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { DOUBTS_MAX, type DoubtList } from "../../shared/api/index.ts";
import { routeHash } from "../app/routes.ts";
import page from "../components/page.module.css";
import { ProblemPanel } from "../components/problem.tsx";
import { useSecondText } from "../components/text.tsx";
import { useStaleness, useStores } from "../state/context.tsx";
import { DoubtsTable } from "./doubts-table.tsx";

/** Every attempt whose end nobody knows, and those a resume would have to judge. */
export function DoubtsPage() {
  const { t } = useTranslation();
  const { unknown } = useStores();
  const list = useStore(unknown.store, (state) => state.list);
  const staleness = useStaleness();
  const secondText = useSecondText();
  const old = staleness === "stale" || staleness === "lost";
  useEffect(() => {
    void unknown.enter();
    return () => unknown.leave();
  }, [unknown]);
  return (
    <div className={page.page}>
      <div className={page.head}>
        <h1 className={page.title}>{t("unknown.title")}</h1>
        {list.value && (
          <span className={page.quiet}>{t("unknown.readAt", { time: secondText(list.value.readAt) })}</span>
        )}
      </div>
      <p className={page.lead}>{t("unknown.lead")}</p>
      {list.problem && (
        <ProblemPanel
          problem={list.problem}
          action={{ label: t("problem.retry"), run: () => void unknown.load() }}
        />
      )}
      {list.value === null && list.problem === null && (
        <Spinner size="tiny" label={t("unknown.loading")} labelPosition="after" />
      )}
      {list.value && (
        <div className={old ? page.stale : undefined}>
          <Doubts list={list.value} />
        </div>
      )}
    </div>
  );
}

function Doubts({ list }: { readonly list: DoubtList }) {
  const { t } = useTranslation();
  const { doubts, total } = list;
  if (total === 0) {
    return (
      <div className={page.empty}>
        <p>{t("unknown.calm")}</p>
        <p>{t("unknown.calmDetail")}</p>
      </div>
    );
  }
  return (
    <div className={page.section}>
      <DoubtsTable doubts={doubts} />
      {total > doubts.length && <Rest list={list} />}
    </div>
  );
}

/** What is not shown yet, counted in Runs as well, and the way to it: the next ones here, or the Runs in their list. */
function Rest({ list: { doubts, total, runsLeft } }: { readonly list: DoubtList }) {
  const { t } = useTranslation();
  const { unknown } = useStores();
  return (
    <>
      <p className={page.quiet}>
        {t("unknown.cut", { shown: doubts.length, count: total - doubts.length, runs: runsLeft })}{" "}
        <a href={routeHash({ page: "runs", filter: { status: "UNKNOWN" } })}>{t("unknown.cutRuns")}</a>
      </p>
      {doubts.length < DOUBTS_MAX && (
        <div>
          <Button size="small" onClick={() => void unknown.more()}>
            {t("unknown.more")}
          </Button>
        </div>
      )}
    </>
  );
}
