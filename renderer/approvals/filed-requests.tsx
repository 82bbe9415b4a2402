import { Button } from "@fluentui/react-components";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import type { FiledRequest } from "../../shared/api/index.ts";
import { HEIRS } from "../components/kept-focus.ts";
import page from "../components/page.module.css";
import { ProblemPanel } from "../components/problem.tsx";
import { ForeignText } from "../components/text.tsx";
import { useAge, useLanguage, useNow, useStores, useTimeZone } from "../state/context.tsx";
import { minuteText } from "../text/time.ts";
import styles from "./approvals.module.css";
import { ApproverEntry } from "./approver-entry.tsx";
import { FrozenPlan, PlanNow, useUnchanged } from "./filed-plan.tsx";
import { stillOpen } from "./still-open.ts";
import { subjectOf, verbOf } from "./subject.ts";

/** Requests that wait for an approver; nothing where there are none. */
export function FiledRequests() {
  const { t } = useTranslation();
  const { approvals } = useStores();
  const { value: filed, problem } = useStore(approvals.store, (state) => state.filed);
  const now = useNow();
  const begun = useStore(approvals.store, (state) => state.begun !== null);
  const [open, setOpen] = useState<string | null>(null);
  if (filed === null) return problem && <ProblemPanel problem={problem} />;
  const waiting = stillOpen(filed, now);
  if (waiting.length === 0 && !begun) return null;
  return (
    <section className={styles.group} aria-labelledby="filed">
      <h2 className={page.heading} id="filed">
        {t("approvals.filed.title")}
      </h2>
      {begun && <p role="status">{t("approvals.filed.begun")}</p>}
      {waiting.map((request) => (
        <Filed
          key={request.requestId}
          request={request}
          open={open === request.requestId}
          choose={(chosen) => {
            setOpen(chosen ? request.requestId : null);
            if (chosen) void approvals.look(request);
          }}
        />
      ))}
    </section>
  );
}

interface FiledProps {
  readonly request: FiledRequest;
  readonly open: boolean;
  readonly choose: (open: boolean) => void;
}

function Filed({ request, open, choose }: FiledProps) {
  const { t } = useTranslation();
  const { approvals } = useStores();
  const timeZone = useTimeZone();
  const language = useLanguage();
  const { requestId, intent, plan, filedBy, host, filedAt, expiresAt } = request;
  const age = useAge(filedAt);
  const unchanged = useUnchanged(request);
  const problem = useStore(approvals.store, ({ refused }) =>
    !open && refused?.about === requestId ? refused.problem : null,
  );
  const what = verbOf(intent.kind, t);
  const subject = subjectOf(plan.subject);
  const title = t("approvals.title", { what, subject });
  const reason = "reason" in intent ? intent.reason : "";
  return (
    <article className={styles.item} aria-label={title}>
      <h3 className={styles.title}>{title}</h3>
      <dl className={styles.facts}>
        <dt>{t("approvals.filed.who")}</dt>
        <dd>
          <ForeignText text={`${filedBy} (${host})`} />
        </dd>
        <dt>{t("approvals.filed.at")}</dt>
        <dd>
          {minuteText(filedAt, timeZone, language)} ({age})
        </dd>
        <dt>{t("approvals.filed.until")}</dt>
        <dd>{minuteText(expiresAt, timeZone, language)}</dd>
        <dt>{t("approvals.review.reason")}</dt>
        <dd>
          <ForeignText text={reason} />
        </dd>
      </dl>
      <FrozenPlan plan={plan} />
      {problem && <ProblemPanel problem={problem} />}
      <div {...HEIRS}>
        {open ? (
          <ApproverEntry
            about={requestId}
            verb={t("approvals.filed.keep")}
            complete={unchanged}
            send={(account, passphrase) => approvals.approve(requestId, account, passphrase)}
            close={() => choose(false)}
          >
            <PlanNow request={request} />
            <p>{t("approvals.filed.consequence")}</p>
          </ApproverEntry>
        ) : (
          <div className={styles.buttons}>
            <Button
              size="small"
              aria-label={t("approvals.filed.openOf", { subject: title })}
              onClick={() => choose(true)}
            >
              {t("approvals.filed.open")}
            </Button>
            <Button
              size="small"
              appearance="subtle"
              aria-label={t("approvals.filed.withdrawOf", { subject: title })}
              onClick={() => void approvals.withdraw(requestId)}
            >
              {t("approvals.filed.withdraw")}
            </Button>
          </div>
        )}
      </div>
    </article>
  );
}
