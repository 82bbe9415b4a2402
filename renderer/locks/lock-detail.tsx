import { Button, Spinner } from "@fluentui/react-components";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import type { LockDetail, LockHolder } from "../../shared/api/index.ts";
import { routeHash } from "../app/routes.ts";
import { goTo } from "../app/use-route.ts";
import { Fact, Facts } from "../components/facts.tsx";
import link from "../components/link.module.css";
import page from "../components/page.module.css";
import { Panel, PanelLine } from "../components/panel.tsx";
import { ProblemPanel } from "../components/problem.tsx";
import { Absent, CopyId, ForeignText, MinuteTime } from "../components/text.tsx";
import { useStores } from "../state/context.tsx";
import { markedText } from "../text/marks.ts";
import { RecoveryLink } from "../wizard/recovery-link.tsx";
import { LeaseLeft, LockState } from "./lock-state.tsx";
import { Probes } from "./probes.tsx";

/** One holder: what its record says, whether it lives, and what to do about it (operator-ux §2.3, steps 1 and 2). */
export function LockPanel() {
  const { t } = useTranslation();
  const { locks } = useStores();
  const detail = useStore(locks.store, (state) => state.detail);
  const { value, problem, phase } = detail;
  return (
    <Panel
      title={
        value?.lock.holder
          ? t("locks.detail.title", { network: value.lock.networkId ?? t("locks.unknownNetwork") })
          : null
      }
    >
      {problem && (
        <ProblemPanel
          problem={problem}
          action={{ label: t("problem.retry"), run: () => void locks.probe() }}
        />
      )}
      {value === null && problem === null && (
        <Spinner size="tiny" label={t("locks.detail.reading")} labelPosition="after" />
      )}
      {value?.lock.holder && <Holder detail={value} holder={value.lock.holder} busy={phase === "loading"} />}
    </Panel>
  );
}

interface HolderProps {
  readonly detail: LockDetail;
  readonly holder: LockHolder;
  readonly busy: boolean;
}

function Holder({ detail, holder, busy }: HolderProps) {
  const { t } = useTranslation();
  const network = detail.lock.networkId ?? t("locks.unknownNetwork");
  return (
    <>
      <PanelLine>
        <LockState holder={holder} large /> <LeaseLeft leaseExpiresAt={holder.leaseExpiresAt} />
      </PanelLine>
      <HolderFacts detail={detail} holder={holder} />
      {detail.nodesProblem && <ProblemPanel problem={detail.nodesProblem} />}
      <Probes detail={detail} busy={busy} />
      <section className={page.section} aria-labelledby="what-to-do">
        <h3 className={page.heading} id="what-to-do">
          {t("locks.detail.what")}
        </h3>
        <p className={page.text}>{t(`locks.runbook.${runbookOf(detail, holder)}`)}</p>
        {/* The drawer itself says whether it is possible, and when: what it shows is worth looking at before. */}
        <div>
          <Button onClick={() => goTo({ page: "locks", recordId: holder.recordId, release: true })}>
            {t("release.open", { network: markedText(network, true) })}
          </Button>{" "}
          {holder.staleCandidate && <RecoveryLink runId={holder.runId} lockId={holder.recordId} />}
        </div>
      </section>
    </>
  );
}

/** Which page of the runbook: a standing lease is waited for, whatever its process looks like. */
function runbookOf({ verdict }: LockDetail, holder: LockHolder): "live" | "alive" | "goneHere" | "afar" {
  if (!holder.staleCandidate) return "live";
  if (verdict.kind === "alive") return "alive";
  return verdict.kind === "cannot-tell" ? "afar" : "goneHere";
}

interface HolderFactsProps extends Omit<HolderProps, "busy"> {
  /** More facts, of whoever knows more. */
  readonly children?: ReactNode;
}

/** What the record says of its holder, and what its Run says of the nodes it works on (operator-ux §2.3, step 1). */
export function HolderFacts({ detail, holder, children }: HolderFactsProps) {
  const { t } = useTranslation();
  const place = holder.thisHost ? t("locks.detail.thisHost") : t("locks.detail.otherHost");
  return (
    <Facts>
      <Fact label={t("locks.detail.invocation")} wide>
        {holder.ownerInvocationId === null ? (
          <Absent />
        ) : (
          <CopyId id={holder.ownerInvocationId} what={t("locks.detail.invocation")} always />
        )}
      </Fact>
      <Fact label={t("locks.detail.host")}>
        {holder.host === null ? (
          <Absent />
        ) : (
          <>
            <ForeignText text={holder.host} /> <span className={page.quiet}>({place})</span>
          </>
        )}
      </Fact>
      <Fact label={t("locks.detail.process")}>
        {holder.pid === null ? <Absent /> : t("locks.pid", { pid: holder.pid })}
      </Fact>
      <Fact label={t("locks.detail.run")}>
        <RunLink holder={holder} />
      </Fact>
      <Fact label={t("locks.detail.node")}>
        <CurrentNodes detail={detail} holder={holder} />
      </Fact>
      <Fact label={t("locks.detail.started")} minute>
        <MinuteTime at={holder.startedAt} />
      </Fact>
      <Fact label={t("locks.detail.heartbeat")} minute>
        <MinuteTime at={holder.heartbeatAt} />
      </Fact>
      <Fact label={t("locks.detail.leaseEnd")} minute>
        <MinuteTime at={holder.leaseExpiresAt} />
      </Fact>
      <Fact label={t("locks.detail.marginEnd")} minute>
        <MinuteTime at={holder.marginEndsAt} />
      </Fact>
      <Fact label={t("locks.detail.revision")}>{holder.revision}</Fact>
      <Fact label={t("locks.detail.profile")}>
        <ForeignText text={detail.lock.profile} />
      </Fact>
      {holder.pid === null && holder.ownerInstanceId !== null && (
        <Fact label={t("locks.detail.instance")}>
          <ForeignText text={holder.ownerInstanceId} />
        </Fact>
      )}
      {children}
    </Facts>
  );
}

export function RunLink({ holder }: { readonly holder: LockHolder }) {
  if (holder.runId === null) return <Absent />;
  return (
    <a className={link.link} href={routeHash({ page: "run", runId: holder.runId })}>
      <ForeignText text={holder.businessKey ?? holder.runId} id />
    </a>
  );
}

function CurrentNodes({ detail, holder }: Omit<HolderProps, "busy">) {
  const { t } = useTranslation();
  if (holder.runId === null || detail.nodesProblem !== null) {
    return <span className={page.quiet}>{t("locks.detail.nodeUnknown")}</span>;
  }
  if (detail.currentNodes.length === 0) {
    return <span className={page.quiet}>{t("locks.detail.nodeNone")}</span>;
  }
  return detail.currentNodes.map((node) => (
    <div key={node.nodeId}>
      <ForeignText text={node.nodeId} id />{" "}
      <span className={page.quiet}>{t("locks.detail.attempt", { no: node.attemptNo })}</span>
    </div>
  ));
}
