import { useTranslation } from "react-i18next";
import { AUDIT_KINDS, type AuditFilter } from "../../shared/api/index.ts";
import { currentRoute, goTo, replaceRoute } from "../app/use-route.ts";
import filters from "../components/filters.module.css";
import { Choice, NetworkChoice, TextFilter } from "../components/filters.tsx";
import { changedAudit } from "./audit-filter.ts";

/** What the history shows; it lives in the address, so that a filtered history can be passed on. */
export function AuditFilters({ filter }: { readonly filter: AuditFilter }) {
  const { t } = useTranslation();
  const changed = (change: Parameters<typeof changedAudit>[1]) => {
    const now = currentRoute();
    return {
      page: "audit" as const,
      filter: changedAudit(now.page === "audit" ? now.filter : filter, change),
    };
  };
  return (
    <search className={filters.filters} aria-label={t("audit.filter.label")}>
      <NetworkChoice networkId={filter.networkId} onChoose={(networkId) => goTo(changed({ networkId }))} />
      <Choice
        label={t("audit.filter.kind")}
        value={filter.kind}
        options={AUDIT_KINDS.map((kind) => [kind, t(`audit.kind.${kind}`)])}
        onChoose={(value) => goTo(changed({ kind: AUDIT_KINDS.find((each) => each === value) }))}
      />
      <TextFilter
        label={t("audit.filter.run")}
        hint={t("audit.filter.runHint")}
        text={filter.run ?? ""}
        onText={(run) => replaceRoute(changed({ run: run || undefined }))}
      />
      <TextFilter
        label={t("audit.filter.who")}
        hint={t("audit.filter.whoHint")}
        text={filter.who ?? ""}
        onText={(who) => replaceRoute(changed({ who: who || undefined }))}
      />
    </search>
  );
}
