import { Button, createDOMRenderer, FluentProvider, RendererProvider } from "@fluentui/react-components";
import type { i18n, TFunction } from "i18next";
import { Suspense, useEffect, useMemo } from "react";
import { I18nextProvider, useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { AttentionPage } from "../attention/attention-page.tsx";
import { Fetched, pageCode } from "../components/fetched.tsx";
import page from "../components/page.module.css";
import { StoresProvider, useLanguage, useStores } from "../state/context.tsx";
import type { Stores } from "../state/stores.ts";
import { markedText } from "../text/marks.ts";
import { ErrorBoundary } from "./error-boundary.tsx";
import { pageKey, type Route } from "./routes.ts";
import { Shell } from "./shell.tsx";
import { themes } from "./theme.ts";
import { useRoute } from "./use-route.ts";
import { useTheme } from "./use-theme.ts";

// 要対応 is the first screen; the others are fetched beside it.
const runsCode = pageCode(async () => (await import("../runs/runs-page.tsx")).RunsPage);
const timelineCode = pageCode(async () => (await import("../timeline-day/day-page.tsx")).DayPage);
const locksCode = pageCode(async () => (await import("../locks/locks-page.tsx")).LocksPage);
const requestsCode = pageCode(async () => (await import("../requests/requests-page.tsx")).RequestsPage);
const processesCode = pageCode(async () => (await import("../processes/processes-page.tsx")).ProcessesPage);
const jobLocksCode = pageCode(async () => (await import("../locks/job-locks-page.tsx")).JobLocksPage);
const auditCode = pageCode(async () => (await import("../audit/audit-page.tsx")).AuditPage);
const guidanceCode = pageCode(async () => (await import("../guidance/guidance-page.tsx")).GuidancePage);
const runCode = pageCode(async () => (await import("../run/run-page.tsx")).RunPage);
const startCode = pageCode(async () => (await import("../start/start-page.tsx")).StartPage);
const unknownCode = pageCode(async () => (await import("../unknown/unknown-page.tsx")).UnknownPage);
const recoveryCode = pageCode(async () => (await import("../wizard/recovery-page.tsx")).RecoveryPage);
const settingsCode = pageCode(async () => (await import("../settings/settings-page.tsx")).SettingsPage);

const FETCHED = [
  runsCode,
  timelineCode,
  locksCode,
  requestsCode,
  processesCode,
  jobLocksCode,
  auditCode,
  guidanceCode,
  runCode,
  startCode,
  unknownCode,
  recoveryCode,
  settingsCode,
];

/**
 * Fetches every page ahead of its opening: when the console ends, its last picture must still be walkable. Resolves
 * when all are there.
 */
export async function fetchPages(): Promise<void> {
  await Promise.all(FETCHED.map((page) => page.fetch()));
}

interface AppProps {
  readonly stores: Stores;
  readonly texts: i18n;
  /** The page's nonce, for the style sheets the UI kit makes at run time; absent outside a guarded page. */
  readonly nonce: string | undefined;
}

export function App({ stores, texts, nonce }: AppProps) {
  const renderer = useMemo(
    () => createDOMRenderer(document, nonce ? { styleElementAttributes: { nonce } } : {}),
    [nonce],
  );
  return (
    <RendererProvider renderer={renderer} targetDocument={document}>
      <I18nextProvider i18n={texts}>
        <StoresProvider value={stores}>
          <Window texts={texts} />
        </StoresProvider>
      </I18nextProvider>
    </RendererProvider>
  );
}

function Window({ texts }: { readonly texts: i18n }) {
  const theme = useTheme();
  const language = useLanguage();
  const route = useRoute();
  useEffect(() => {
    document.documentElement.lang = language;
    void texts.changeLanguage(language);
  }, [language, texts]);
  useTitle(route);
  return (
    <FluentProvider theme={themes[theme]}>
      <Shell route={route}>
        <ErrorBoundary key={pageKey(route)} fallback={(error) => <Crashed error={error} />}>
          <Suspense fallback={null}>
            <Page route={route} />
          </Suspense>
        </ErrorBoundary>
      </Shell>
    </FluentProvider>
  );
}

function Page({ route }: { readonly route: Route }) {
  switch (route.page) {
    case "attention":
      return <AttentionPage />;
    case "requests":
      return (
        <Fetched code={requestsCode} given={{ view: route.view ?? "all", requestId: route.requestId }} />
      );
    case "processes":
      return <Fetched code={processesCode} given={{ openId: route.processId }} />;
    case "locks":
      return (
        <Fetched code={locksCode} given={{ recordId: route.recordId, release: route.release === true }} />
      );
    case "jobLocks":
      return <Fetched code={jobLocksCode} given={{ jobKey: route.jobKey }} />;
    case "runs":
      return <Fetched code={runsCode} given={{ filter: route.filter }} />;
    case "timeline":
      return <Fetched code={timelineCode} given={{ day: route.day }} />;
    case "run":
      return <Fetched code={runCode} given={route} />;
    case "audit":
      return <Fetched code={auditCode} given={{ filter: route.filter, entry: route.entry }} />;
    case "guidance":
      return <Fetched code={guidanceCode} given={{ code: route.code }} />;
    case "unknowns":
      return <Fetched code={unknownCode} given={{ node: route.node, attemptId: route.attemptId }} />;
    case "recovery":
      return <Fetched code={recoveryCode} given={{ runId: route.runId, lockId: route.lockId }} />;
    case "start":
      return <Fetched code={startCode} given={{ networkId: route.networkId }} />;
    case "settings":
      return <Fetched code={settingsCode} given={{ section: route.section }} />;
    case "unknown":
      return <Unknown />;
  }
}

function Unknown() {
  const { t } = useTranslation();
  return (
    <div className={page.page}>
      <h1 className={page.title}>{t("page.notFound")}</h1>
      <p className={page.lead}>{t("page.notFoundNext")}</p>
    </div>
  );
}

function Crashed({ error }: { readonly error: Error }) {
  const { t } = useTranslation();
  return (
    <div className={page.page} role="alert">
      <h1 className={page.title}>{t("page.crashed")}</h1>
      <p className={page.lead}>{t("page.crashedEffect")}</p>
      <p className={page.quiet}>{error.message}</p>
      <div>
        <Button onClick={() => window.location.reload()}>{t("page.reload")}</Button>
      </div>
    </div>
  );
}

function pageName(route: Route, t: TFunction): string {
  switch (route.page) {
    case "attention":
      return t("attention.title");
    case "requests":
      return t("requests.title");
    case "processes":
      return t("processes.title");
    case "timeline":
      return t("day.title");
    case "locks":
      return t("locks.title");
    case "jobLocks":
      return t("jobLocks.title");
    case "audit":
      return t("audit.title");
    case "guidance":
      return route.code ?? t("guidance.title");
    case "unknowns":
      return t("unknown.title");
    case "recovery":
      return t("recovery.entry");
    case "start":
      return t("start.title");
    case "settings":
      return t("settings.title");
    default:
      return t("runs.title");
  }
}

function useTitle(route: Route): void {
  const { t } = useTranslation();
  const runKey = useStore(
    useStores().runDetail.store,
    (state) => state.detail.value?.run.businessKey ?? null,
  );
  useEffect(() => {
    const name = pageName(route, t);
    document.title = `${route.page === "run" && runKey ? markedText(runKey, true) : name} – ${t("app.name")}`;
  }, [route, runKey, t]);
}
