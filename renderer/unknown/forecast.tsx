import { Button } from "@fluentui/react-components";
import { useTranslation } from "react-i18next";
import type { OrphanForecast, UnknownDetail } from "../../shared/api/index.ts";
import page from "../components/page.module.css";
import { OutcomeBadge } from "../components/status.tsx";
import { ForeignText } from "../components/text.tsx";
import { useStores } from "../state/context.tsx";

/** What a resume would make of an attempt that was left open, and the resume itself. */
export function Forecast({ detail }: { readonly detail: UnknownDetail }) {
  const { t } = useTranslation();
  const { action } = useStores();
  const { forecast, runId, businessKey, networkId } = detail;
  if (forecast === null) return null;
  const resume = (): void => {
    const subject = { runId, businessKey, networkId };
    void action.open({ kind: "resume", runId, reason: "" }, { subject });
  };
  return (
    <section className={page.section} aria-labelledby="forecast">
      <h2 className={page.heading} id="forecast">
        {t("unknown.forecast.title")}
      </h2>
      <p className={page.text}>{t("unknown.forecast.lead")}</p>
      <p className={page.text} data-forecast={forecast.kind}>
        <ForecastText forecast={forecast} />
      </p>
      <p className={page.quiet}>{t("unknown.outcome.orphanFirst")}</p>
      <div>
        <Button onClick={resume}>{t("unknown.forecast.resume")}</Button>
      </div>
    </section>
  );
}

/** One line: the status and code it would get, or why it would get none. */
export function ForecastText({ forecast }: { readonly forecast: OrphanForecast }) {
  const { t } = useTranslation();
  if (forecast.kind !== "settled") return t(`unknown.forecast.${forecast.kind}`);
  return (
    <>
      <OutcomeBadge status={forecast.status} />{" "}
      <ForeignText text={t("unknown.forecast.settled", { code: forecast.code })} />
    </>
  );
}
