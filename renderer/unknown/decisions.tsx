import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { NodeDecision } from "../../shared/api/index.ts";
import { Fact, Facts } from "../components/facts.tsx";
import page from "../components/page.module.css";
import { OutcomeBadge } from "../components/status.tsx";
import { Absent, ForeignText, MinuteTime } from "../components/text.tsx";

/** What people decided on this attempt: who, on whose word, with which evidence. */
export function Decisions({ decisions }: { readonly decisions: readonly NodeDecision[] }) {
  const { t } = useTranslation();
  return (
    <section className={page.section} aria-labelledby="decisions">
      <h2 className={page.heading} id="decisions">
        {t("unknown.decisions.title")}
      </h2>
      {decisions.map((decision) => (
        <div key={decision.recordId} data-decision={decision.outcome}>
          <Facts roomy>
            <Fact label={t("unknown.decisions.outcome")}>
              <OutcomeBadge status={decision.outcome} />
            </Fact>
            <Fact label={t("unknown.decisions.at")}>
              <MinuteTime at={decision.resolvedAt} />
            </Fact>
            <Fact label={t("unknown.decisions.by")}>{textOf(decision.requestedBy)}</Fact>
            <Fact label={t("unknown.decisions.approvedBy")}>{textOf(decision.approvedBy)}</Fact>
            <Fact label={t("unknown.decisions.stopConfirmedBy")}>{textOf(decision.stopConfirmedBy)}</Fact>
            <Fact label={t("unknown.decisions.stopEvidence")}>{textOf(decision.stopEvidenceRef)}</Fact>
            <Fact label={t("unknown.decisions.evidence")}>{textOf(decision.evidenceRef)}</Fact>
            <Fact label={t("unknown.decisions.reason")}>{textOf(decision.reason)}</Fact>
          </Facts>
        </div>
      ))}
    </section>
  );
}

const textOf = (text: string | null): ReactNode =>
  text === null || text === "" ? <Absent /> : <ForeignText text={text} />;
