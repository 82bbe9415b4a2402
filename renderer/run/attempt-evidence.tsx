import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import type { AttemptEvidenceFacts, AttemptFacts } from "../../shared/api/index.ts";
import page from "../components/page.module.css";
import { ProblemPanel } from "../components/problem.tsx";
import { Absent, CopyId, ForeignText, useSecondText } from "../components/text.tsx";
import { useStores } from "../state/context.tsx";
import styles from "./run.module.css";

/** What this host itself saw of an attempt: process, end, result file (decisions §3). Read while it is looked at. */
export function AttemptEvidence({ attempt }: { readonly attempt: AttemptFacts }) {
  const { t } = useTranslation();
  const { runParts } = useStores();
  const { attemptId, status } = attempt;
  const evidence = useStore(runParts.store, (state) => state.evidence[attemptId]);
  // Read again when the attempt's status moves: the journal moved with it.
  useEffect(() => {
    if (status !== undefined) void runParts.readEvidence(attemptId);
  }, [runParts, attemptId, status]);
  return (
    <section className={page.section} aria-label={t("run.evidence.title")}>
      <h3 className={page.heading}>{t("run.evidence.title")}</h3>
      {evidence?.problem && <ProblemPanel problem={evidence.problem} />}
      {evidence?.value && <Facts facts={evidence.value} />}
    </section>
  );
}

function Facts({ facts }: { readonly facts: AttemptEvidenceFacts }) {
  const { t } = useTranslation();
  const secondText = useSecondText();
  if (facts.host === null) return <p className={page.quiet}>{t("run.evidence.none")}</p>;
  return (
    <dl className={styles.record}>
      <dt>{t("run.evidence.host")}</dt>
      <dd>
        <ForeignText text={facts.host} />
        {!facts.thisHostAndBoot && ` (${t("run.evidence.otherBoot")})`}
      </dd>
      <dt>PID</dt>
      <dd>
        {facts.pid ?? <Absent />}
        {facts.processStart !== null &&
          ` (${t("run.evidence.processStart", { time: secondText(facts.processStart) })})`}
      </dd>
      <dt>{t("run.evidence.exit")}</dt>
      <dd>
        {facts.exitedAt === null ? (
          <Absent />
        ) : (
          `${facts.exitCode ?? facts.signal ?? facts.launchFailure ?? "—"} (${secondText(facts.exitedAt)})`
        )}
        {facts.forced && ` ${t("run.evidence.forced")}`}
      </dd>
      <dt>{t("run.evidence.source")}</dt>
      <dd>
        {facts.exitedAt === null ? (
          <Absent />
        ) : facts.resultSha256 === null ? (
          t("run.evidence.noResultFile")
        ) : (
          <>
            {t("run.evidence.resultFile")}{" "}
            <CopyId
              id={facts.resultSha256}
              short={`${facts.resultSha256.slice(0, 8)}…`}
              what={t("run.evidence.resultFile")}
            />
          </>
        )}
      </dd>
      <dt>{t("run.evidence.stored")}</dt>
      <dd>
        {facts.stored === null ? (
          <Absent />
        ) : (
          t(facts.stored ? "run.evidence.storedYes" : "run.evidence.storedNo")
        )}
      </dd>
    </dl>
  );
}
