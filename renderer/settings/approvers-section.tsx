import { Spinner } from "@fluentui/react-components";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import type { ApproversView } from "../../shared/api/index.ts";
import { routeHash } from "../app/routes.ts";
import styles from "../approvals/approvals.module.css";
import { FiledRequests } from "../approvals/filed-requests.tsx";
import { PassphraseCell } from "../approvals/passphrase-cell.tsx";
import { Reviews } from "../approvals/reviews.tsx";
import { setByNote } from "../approvals/why-reviewed.ts";
import page from "../components/page.module.css";
import { ProblemPanel } from "../components/problem.tsx";
import { Table } from "../components/table.tsx";
import { ForeignText } from "../components/text.tsx";
import { useLanguage, useStores, useTimeZone } from "../state/context.tsx";
import { minuteText } from "../text/time.ts";
import settings from "./settings.module.css";

/** 承認者: who may consent, what waits for it, and what was done without (decisions §5, operator-ux §2.4). */
export function ApproversSection() {
  const { t } = useTranslation();
  const { approvals } = useStores();
  const people = useStore(approvals.store, (state) => state.people);
  useEffect(() => void approvals.open(), [approvals]);
  return (
    <div className={settings.form}>
      <p className={page.lead}>{t("approvals.lead")}</p>
      {people.problem && <ProblemPanel problem={people.problem} />}
      {people.value === null && people.phase === "loading" && (
        <Spinner size="small" label={t("approvals.loading")} labelPosition="after" />
      )}
      {people.value && <People approvers={people.value.approvers} />}
      <FiledRequests />
      <Reviews />
    </div>
  );
}

function People({ approvers }: Pick<ApproversView, "approvers">) {
  const { t } = useTranslation();
  return (
    <div className={styles.group}>
      <h2 className={page.heading}>{t("approvals.people.title")}</h2>
      {approvers.length === 0 ? (
        <div className={page.empty}>
          <p>{t("approvals.people.none")}</p>
          <a href={routeHash({ page: "settings", section: "roles" })}>{t("approvals.people.toRoles")}</a>
        </div>
      ) : (
        <Table
          caption={t("approvals.people.title")}
          columns={[
            { key: "account", label: t("approvals.people.account") },
            { key: "state", label: t("approvals.people.state") },
            { key: "action", label: t("approvals.people.action") },
          ]}
        >
          {approvers.map((approver) => (
            <Person key={approver.account} approver={approver} />
          ))}
        </Table>
      )}
    </div>
  );
}

function Person({ approver }: { readonly approver: ApproversView["approvers"][number] }) {
  const { t } = useTranslation();
  const timeZone = useTimeZone();
  const language = useLanguage();
  const { account, registeredAt, mayChange } = approver;
  const setBy = setByNote(approver, t);
  return (
    <tr>
      <td className={settings.monoText}>
        <ForeignText text={account} />
      </td>
      <td>
        <span className={styles.state} data-state={registeredAt === null ? "unset" : "set"}>
          <span className={styles.glyph} aria-hidden="true">
            {registeredAt === null ? "–" : "✓"}
          </span>
          {registeredAt === null
            ? t("approvals.people.unset")
            : t("approvals.people.set", { date: minuteText(registeredAt, timeZone, language) })}
        </span>
        {setBy !== null && <div className={settings.hint}>{setBy}</div>}
      </td>
      <td>
        <PassphraseCell account={account} registered={registeredAt !== null} mayChange={mayChange} />
      </td>
    </tr>
  );
}
