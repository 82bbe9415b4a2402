import { Button, Radio, RadioGroup, Spinner } from "@fluentui/react-components";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { routeHash } from "../app/routes.ts";
import { goTo } from "../app/use-route.ts";
import { HEIRS } from "../components/kept-focus.ts";
import link from "../components/link.module.css";
import page from "../components/page.module.css";
import { ProblemPanel } from "../components/problem.tsx";
import { Split } from "../components/split.tsx";
import { useSecondText } from "../components/text.tsx";
import { useStaleness, useStores } from "../state/context.tsx";
import { type RequestsView, requestRows } from "../state/requests.ts";
import { CreateMenu } from "./create-menu.tsx";
import { PollerHealth } from "./poller-health.tsx";
import { RequestPanel } from "./request-detail.tsx";
import styles from "./requests.module.css";
import { RequestsTable } from "./requests-table.tsx";

interface RequestsPageProps {
  readonly view: RequestsView;
  readonly requestId: string | undefined;
}

/** 操作要求: who carries requests out, the queue, and on the right, once opened, one request. */
export function RequestsPage({ view, requestId }: RequestsPageProps) {
  const { t } = useTranslation();
  const { requests } = useStores();
  const { value, problem } = useStore(requests.store, (state) => state.page);
  useEffect(() => {
    void requests.enter();
    return () => requests.leave();
  }, [requests]);
  useEffect(() => void requests.show(view), [requests, view]);
  useEffect(() => void requests.open(requestId ?? null), [requests, requestId]);
  return (
    <div className={page.page}>
      <Head />
      <p className={page.lead}>{t("requests.lead")}</p>
      {problem && (
        <ProblemPanel
          problem={problem}
          action={{ label: t("problem.retry"), run: () => void requests.load() }}
        />
      )}
      {value === null && problem === null && (
        <Spinner size="tiny" label={t("requests.loading")} labelPosition="after" />
      )}
      {value && !value.configured && <NotConfigured />}
      {value?.configured && (
        <>
          <PollerHealth poller={value.poller} />
          <ViewChoice view={view} openCount={value.openCount} />
          <Split
            id="requests"
            detail={requestId === undefined ? null : <RequestPanel />}
            detailKey={requestId ?? null}
            detailLabel={t("requests.detail.label")}
            onClose={() => goTo({ page: "requests", view })}
          >
            <Queue view={view} />
          </Split>
        </>
      )}
    </div>
  );
}

function Head() {
  const { t } = useTranslation();
  const { requests } = useStores();
  const { value, phase } = useStore(requests.store, (state) => state.page);
  const secondText = useSecondText();
  return (
    <div className={page.head}>
      <h1 className={page.title}>{t("requests.title")}</h1>
      {value?.readAt && (
        <span className={page.quiet}>{t("requests.readAt", { time: secondText(value.readAt) })}</span>
      )}
      <span className={page.spacer} />
      {value?.configured && (
        <>
          <Button
            size="small"
            disabledFocusable={phase === "loading"}
            onClick={() => void requests.refresh()}
          >
            {t("requests.refresh")}
          </Button>
          <CreateMenu />
        </>
      )}
    </div>
  );
}

function ViewChoice({ view, openCount }: { readonly view: RequestsView; readonly openCount: number }) {
  const { t } = useTranslation();
  return (
    <RadioGroup
      layout="horizontal"
      value={view}
      aria-label={t("requests.view.label")}
      onChange={(_, data) => goTo({ page: "requests", view: data.value === "open" ? "open" : "all" })}
    >
      <Radio value="all" label={t("requests.view.all")} />
      <Radio value="open" label={t("requests.view.open", { count: openCount })} />
    </RadioGroup>
  );
}

function Queue({ view }: { readonly view: RequestsView }) {
  const { t } = useTranslation();
  const { requests } = useStores();
  const state = useStore(requests.store);
  const staleness = useStaleness();
  const old = staleness === "stale" || staleness === "lost";
  const rows = requestRows(state);
  if (state.answered !== view) {
    if (state.page.problem !== null) return null;
    return <Spinner size="tiny" label={t("requests.loading")} labelPosition="after" />;
  }
  if (rows.length === 0) {
    return (
      <div className={page.empty}>
        <p>{t(view === "open" ? "requests.emptyOpen" : "requests.empty")}</p>
        <p>{t("requests.emptyNext")}</p>
      </div>
    );
  }
  return (
    <div className={old ? page.stale : undefined}>
      <RequestsTable rows={rows} />
      {view === "all" && (
        <div className={styles.older} {...HEIRS}>
          {state.next === null ? (
            <span className={page.quiet}>{t("requests.end")}</span>
          ) : (
            <Button disabledFocusable={state.olderLoading} onClick={() => void requests.loadOlder()}>
              {t(state.olderLoading ? "requests.olderLoading" : "requests.older")}
            </Button>
          )}
          {state.olderProblem && <ProblemPanel problem={state.olderProblem} />}
        </div>
      )}
    </div>
  );
}

function NotConfigured() {
  const { t } = useTranslation();
  return (
    <div className={page.empty}>
      <p>
        <strong>{t("requests.notConfigured")}</strong>
      </p>
      <p>{t("requests.notConfiguredNext")}</p>
      <a className={link.open} href={routeHash({ page: "settings", section: "connections" })}>
        {t("requests.toSettings")}
      </a>
    </div>
  );
}
