import { Button, Spinner } from "@fluentui/react-components";
import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import type { RequestDetail, RequestListRow, RequestView } from "../../shared/api/index.ts";
import { nextActionOf } from "../../shared/domain/next-action.ts";
import type { PlanSubject } from "../../shared/domain/operations/operation.ts";
import { settleIntent } from "../action/names.ts";
import { routeHash } from "../app/routes.ts";
import face from "../components/face.module.css";
import { Fact, Facts } from "../components/facts.tsx";
import link from "../components/link.module.css";
import note from "../components/note.module.css";
import page from "../components/page.module.css";
import { Panel, PanelLine } from "../components/panel.tsx";
import { ProblemPanel } from "../components/problem.tsx";
import { Absent, ForeignText, MinuteTime, useSecondText } from "../components/text.tsx";
import { GuidanceLink } from "../guidance/guidance-link.tsx";
import { useGate, useNow, useStores } from "../state/context.tsx";
import { minutesAgo } from "./minutes-ago.ts";
import { RequestState, shownState } from "./request-state.tsx";
import styles from "./requests.module.css";

/** One request: what was asked, who claimed it, what came of it and what to do about that. */
export function RequestPanel() {
  const { t } = useTranslation();
  const { requests } = useStores();
  const { value, problem } = useStore(requests.store, (state) => state.detail);
  return (
    <Panel title={value && titleOf(value.row, t)}>
      {problem && (
        <ProblemPanel
          problem={problem}
          action={{ label: t("problem.retry"), run: () => void requests.readDetail() }}
        />
      )}
      {value === null && problem === null && (
        <Spinner size="tiny" label={t("requests.detail.reading")} labelPosition="after" />
      )}
      {value && <Shown detail={value} />}
    </Panel>
  );
}

function titleOf(row: RequestListRow, t: TFunction): string {
  if (!row.readable)
    return t("requests.detail.unreadableTitle", { id: row.record.id ?? t("requests.detail.unknownId") });
  const { id, type } = row.request;
  return t("requests.detail.title", { id, type: t(`requests.type.${type}`) });
}

function Shown({ detail }: { readonly detail: RequestDetail }) {
  const { row } = detail;
  return row.readable ? <Request detail={detail} request={row.request} /> : <Unreadable row={row} />;
}

interface RequestProps {
  readonly detail: RequestDetail;
  readonly request: RequestView;
}

function Request({ detail, request }: RequestProps) {
  const { t } = useTranslation();
  const secondText = useSecondText();
  const { id, revision, duplicates, networkId, businessKey, runId } = request;
  return (
    <>
      <PanelLine>
        <RequestState row={detail.row} large />
        <span className={page.quiet}>
          {t("requests.detail.readAt", { time: secondText(detail.readAt), revision })}
        </span>
      </PanelLine>
      {duplicates.length > 0 && (
        <p className={note.warning}>{t("requests.detail.duplicate", { ids: duplicates.join(", ") })}</p>
      )}
      <RequestFacts detail={detail} request={request} />
      <Meaning row={detail.row} request={request} />
      {shownState(detail.row) === "silent" && <Settle id={id} subject={{ networkId, businessKey, runId }} />}
      <Cancel request={request} />
    </>
  );
}

const Text = ({ text, id = false }: { readonly text: string | null; readonly id?: boolean }) =>
  text === null || text === "" ? <Absent /> : <ForeignText text={text} id={id} />;

function RequestFacts({ detail: { run }, request }: RequestProps) {
  const { t } = useTranslation();
  const { claim } = request;
  const start = request.type === "START";
  return (
    <Facts>
      <Fact label={t("requests.detail.run")} wide>
        {run === null ? (
          request.runId === null ? (
            <span className={page.quiet}>{t("requests.detail.noRun")}</span>
          ) : (
            <Text text={request.runId} id />
          )
        ) : (
          <a className={link.open} href={routeHash({ page: "run", runId: run.runId })}>
            <ForeignText text={run.businessKey ?? run.runId} id />
          </a>
        )}
      </Fact>
      {(start || request.networkId !== null) && (
        <Fact label={t("requests.detail.network")}>
          <Text text={request.networkId} id />
        </Fact>
      )}
      {start && (
        <>
          <Fact label={t("requests.detail.businessKey")}>
            <Text text={request.businessKey} id />
          </Fact>
          <Fact label={t("requests.detail.scheduledFor")}>
            <Text text={request.scheduledFor} />
          </Fact>
        </>
      )}
      {request.type === "RERUN" && (
        <Fact label={t("requests.detail.node")}>
          <Text text={request.rerunFromNode} id />
        </Fact>
      )}
      <Fact label={t("requests.detail.creator")}>
        <Text text={request.creatorCode} id />
      </Fact>
      <Fact label={t("requests.detail.created")}>
        <MinuteTime at={request.createdAt} />
      </Fact>
      <Fact label={t("requests.detail.claimedHost")}>
        <Text text={claim?.host ?? null} />
        {claim?.thisHost && <span className={page.quiet}> ({t("requests.thisHost")})</span>}
      </Fact>
      <Fact label={t("requests.detail.claimedAt")}>
        <MinuteTime at={claim?.at ?? null} />
      </Fact>
      <Fact label={t("requests.detail.heartbeat")}>
        <MinuteTime at={claim?.heartbeatAt ?? null} />
      </Fact>
      <Fact label={t("requests.detail.resultCode")}>
        <span className={face.mono}>
          {request.resultCode === null ? <Absent /> : <GuidanceLink code={request.resultCode} />}
        </span>
      </Fact>
      <Fact label={t("requests.detail.resultMessage")} wide>
        <Text text={request.resultMessage} />
      </Fact>
      <Fact label={t("requests.detail.reason")} wide>
        <Text text={request.reason} />
      </Fact>
    </Facts>
  );
}

/** What the result means and what to do about it; a silent claim means that nobody knows one (operator-ux §5.2). */
function Meaning({ row, request }: { readonly row: RequestListRow; readonly request: RequestView }) {
  const { t } = useTranslation();
  const now = useNow();
  const { resultCode, claim } = request;
  const state = shownState(row);
  if (resultCode === null && state !== "silent") return null;
  const action = nextActionOf(state === "silent" ? "STALE" : (resultCode ?? ""));
  return (
    <section className={page.section} aria-labelledby="request-next">
      <h3 className={page.heading} id="request-next">
        {t("requests.detail.next")}
      </h3>
      {state === "silent" && claim !== null ? (
        <p className={note.warning}>
          {t("requests.detail.silentMeaning", { ago: minutesAgo(claim.heartbeatAt, now, t) })}{" "}
          <strong>{t("requests.detail.staleForbid")}</strong>
        </p>
      ) : (
        <p className={page.text}>
          {action.code === null ? t("nextUnknown.meaning") : t(`next.${action.code}.meaning`)}{" "}
          {action.code === null ? t("nextUnknown.next") : t(`next.${action.code}.next`)}{" "}
          <span className={page.quiet}>{t("attention.responderLine", { who: t(`who.${action.who}`) })}</span>
        </p>
      )}
    </section>
  );
}

/** Taking it back, offered while it counts; why it does not any more otherwise (orchestration §7.3). */
function Cancel({
  request: { id, cancelProblem, networkId, businessKey, runId },
}: {
  readonly request: RequestView;
}) {
  const { t } = useTranslation();
  const { action } = useStores();
  const gate = useGate();
  const subject = { requestId: id, networkId, businessKey, runId };
  return (
    <PanelLine>
      <Button
        disabledFocusable={cancelProblem !== null || gate !== null}
        onClick={() => {
          if (cancelProblem === null && gate === null) {
            void action.open({ kind: "requestCancel", requestId: id }, { subject });
          }
        }}
      >
        {t("requests.detail.cancel")}
      </Button>
      <span className={page.quiet}>
        {cancelProblem !== null
          ? t(`requests.detail.cancelWhy.${cancelProblem}`)
          : gate !== null
            ? t(`requests.createGate.${gate}`)
            : t("requests.detail.cancelOnly")}
      </span>
    </PanelLine>
  );
}

/** Ending a claim that nobody ends any more, on the word of whoever made sure (orchestration §7.4, W-10). */
function Settle({ id, subject = {} }: { readonly id: string; readonly subject?: Partial<PlanSubject> }) {
  const { t } = useTranslation();
  const { action } = useStores();
  const gate = useGate();
  return (
    <PanelLine>
      <Button
        disabledFocusable={gate !== null}
        onClick={() => {
          if (gate === null) void action.open(settleIntent(id), { subject: { ...subject, requestId: id } });
        }}
      >
        {t("requests.detail.settle")}
      </Button>
      <span className={page.quiet}>
        {gate === null ? t("requests.detail.settleOnly") : t(`requests.createGate.${gate}`)}
      </span>
    </PanelLine>
  );
}

function Unreadable({ row }: { readonly row: Extract<RequestListRow, { readable: false }> }) {
  const { t } = useTranslation();
  const { id, revision, issues } = row.record;
  return (
    <>
      <PanelLine>
        <RequestState row={row} large />
        <span className={page.quiet}>
          {t("requests.detail.revision")} {revision ?? "–"}
        </span>
      </PanelLine>
      <p className={note.warning}>{t("requests.detail.issues")}</p>
      <ul className={styles.issues}>
        {issues.map(({ code, field }) => (
          <li key={`${code} ${field}`}>
            <span className={face.mono}>
              <ForeignText text={field} />
            </span>{" "}
            <span className={face.code}>{code}</span>
          </li>
        ))}
      </ul>
      {id !== null && <Settle id={id} />}
    </>
  );
}
