import { Spinner } from "@fluentui/react-components";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { goTo } from "../app/use-route.ts";
import page from "../components/page.module.css";
import { ProblemPanel } from "../components/problem.tsx";
import { Split } from "../components/split.tsx";
import { useSecondText } from "../components/text.tsx";
import { useStaleness, useStores } from "../state/context.tsx";
import { LockPanel } from "./lock-detail.tsx";
import { LockTabs } from "./lock-tabs.tsx";
import { LocksTable } from "./locks-table.tsx";
import { ReleaseDrawer } from "./release/release-drawer.tsx";

interface LocksPageProps {
  readonly recordId: string | undefined;
  /** The drawer that takes a lock from its holder stands over the page. */
  readonly release: boolean;
}

/** ロック: who holds which network, and on the right, once opened, everything about one holder. */
export function LocksPage({ recordId, release }: LocksPageProps) {
  const { t } = useTranslation();
  const { locks } = useStores();
  const list = useStore(locks.store, (state) => state.list);
  const staleness = useStaleness();
  const secondText = useSecondText();
  const old = staleness === "stale" || staleness === "lost";
  useEffect(() => {
    void locks.enter();
    return () => locks.leave();
  }, [locks]);
  useEffect(() => {
    void locks.open(recordId ?? null);
  }, [locks, recordId]);
  return (
    <div className={page.page}>
      <div className={page.head}>
        <h1 className={page.title}>{t("locks.title")}</h1>
        {list.value && (
          <span className={page.quiet}>{t("locks.readAt", { time: secondText(list.value.readAt) })}</span>
        )}
      </div>
      <LockTabs current="network" />
      <p className={page.lead}>{t("locks.lead")}</p>
      {list.problem && (
        <ProblemPanel
          problem={list.problem}
          action={{ label: t("problem.retry"), run: () => void locks.load() }}
        />
      )}
      {list.value === null && list.problem === null && (
        <Spinner size="tiny" label={t("locks.loading")} labelPosition="after" />
      )}
      <Split
        id="locks"
        detail={recordId === undefined ? null : <LockPanel />}
        detailKey={recordId ?? null}
        detailLabel={t("locks.detail.label")}
        onClose={() => goTo({ page: "locks" })}
      >
        {list.value && (
          <div className={old ? page.stale : undefined}>
            {list.value.locks.length > 0 ? <LocksTable locks={list.value.locks} /> : <NoNetworks />}
          </div>
        )}
      </Split>
      {release && recordId !== undefined && <ReleaseDrawer key={recordId} recordId={recordId} />}
    </div>
  );
}

function NoNetworks() {
  const { t } = useTranslation();
  return (
    <div className={page.empty}>
      <p>{t("locks.empty")}</p>
      <p>{t("locks.emptyNext")}</p>
    </div>
  );
}
