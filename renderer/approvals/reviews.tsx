import { Button, Field, Textarea } from "@fluentui/react-components";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import type { BreakGlassAction } from "../../shared/api/index.ts";
import { HEIRS } from "../components/kept-focus.ts";
import page from "../components/page.module.css";
import { ProblemPanel } from "../components/problem.tsx";
import { ForeignText } from "../components/text.tsx";
import { useLanguage, useStores, useTimeZone } from "../state/context.tsx";
import { minuteText } from "../text/time.ts";
import styles from "./approvals.module.css";
import { ApproverEntry } from "./approver-entry.tsx";
import { subjectOf, verbOf } from "./subject.ts";
import { whyReviewed } from "./why-reviewed.ts";

/** What was done without a second person, each until an approver has looked at it (operator-ux §2.4). */
export function Reviews() {
  const { t } = useTranslation();
  const { approvals } = useStores();
  const unreviewed = useStore(approvals.store, (state) => state.unreviewed);
  const [open, setOpen] = useState<string | null>(null);
  if (unreviewed.value === null) return unreviewed.problem && <ProblemPanel problem={unreviewed.problem} />;
  return (
    <section className={styles.group} aria-labelledby="reviews">
      <h2 className={page.heading} id="reviews">
        {t("approvals.review.title")}
      </h2>
      {unreviewed.value.length === 0 && <p className={page.quiet}>{t("approvals.review.none")}</p>}
      {unreviewed.value.map((action) => (
        <Review
          key={action.operationId}
          action={action}
          open={open === action.operationId}
          choose={(chosen) => setOpen(chosen ? action.operationId : null)}
        />
      ))}
    </section>
  );
}

interface ReviewProps {
  readonly action: BreakGlassAction;
  readonly open: boolean;
  readonly choose: (open: boolean) => void;
}

function Review({ action, open, choose }: ReviewProps) {
  const { t } = useTranslation();
  const { approvals } = useStores();
  const [note, setNote] = useState("");
  const { operationId } = action;
  const what = verbOf(action.kind, t);
  const subject = subjectOf(action);
  const title = t("approvals.title", { what, subject });
  return (
    <article className={styles.item} aria-label={title}>
      <h3 className={styles.title}>{title}</h3>
      <ReviewFacts action={action} />
      <div {...HEIRS}>
        {open ? (
          <ApproverEntry
            about={operationId}
            verb={t("approvals.review.keep")}
            complete={note.trim() !== ""}
            send={(account, passphrase) => approvals.review(operationId, account, passphrase, note.trim())}
            close={() => choose(false)}
          >
            <Field label={t("approvals.review.note")} required>
              <Textarea value={note} rows={2} maxLength={2000} onChange={(_, { value }) => setNote(value)} />
            </Field>
          </ApproverEntry>
        ) : (
          <div>
            <Button
              size="small"
              aria-label={t("approvals.review.openOf", { subject: title })}
              onClick={() => choose(true)}
            >
              {t("approvals.review.open")}
            </Button>
          </div>
        )}
      </div>
    </article>
  );
}

function ReviewFacts({ action }: { readonly action: BreakGlassAction }) {
  const { t } = useTranslation();
  const timeZone = useTimeZone();
  const language = useLanguage();
  const { account, host, at, reason, evidence, state, code, consent } = action;
  return (
    <dl className={styles.facts}>
      <dt>{t("approvals.review.why")}</dt>
      <dd>{whyReviewed(consent, t)}</dd>
      <dt>{t("approvals.review.who")}</dt>
      <dd>
        <ForeignText text={`${account} (${host})`} />
      </dd>
      <dt>{t("approvals.review.at")}</dt>
      <dd>{minuteText(at, timeZone, language)}</dd>
      <dt>{t("approvals.review.end")}</dt>
      <dd>
        {t(`approvals.review.state.${state ?? "underWay"}`)}
        {code !== null && ` (${code})`}
      </dd>
      <dt>{t("approvals.review.reason")}</dt>
      <dd>
        <ForeignText text={reason} />
      </dd>
      <dt>{t("approvals.review.evidence")}</dt>
      <dd>
        {evidence.length === 0 ? (
          t("approvals.review.noEvidence")
        ) : (
          <ForeignText
            text={evidence.map(({ name, sha256 }) => `${name} (${sha256.slice(0, 12)})`).join(", ")}
          />
        )}
      </dd>
    </dl>
  );
}
