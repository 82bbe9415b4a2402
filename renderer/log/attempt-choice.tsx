import { Button, Select } from "@fluentui/react-components";
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import type { AttemptFacts, RunDetail } from "../../shared/api/index.ts";
import { goTo } from "../app/use-route.ts";
import page from "../components/page.module.css";
import { OutcomeBadge } from "../components/status.tsx";
import { useLanguage } from "../state/context.tsx";
import { markedText } from "../text/marks.ts";
import styles from "./log.module.css";

/** Attempts one choice holds: a Run can have tens of thousands, and a menu of them opens for seconds (operator-ux §3.2). */
const CHOICE_PAGE = 100;

interface AttemptChoiceProps {
  readonly detail: RunDetail;
  readonly attempt: AttemptFacts;
}

/** Whose log is in sight: a page of the Run's attempts, that of the chosen one first. */
export function AttemptChoice({ detail, attempt }: AttemptChoiceProps) {
  const { t } = useTranslation();
  const id = useId();
  const { attempts, run } = detail;
  const at = attempts.findIndex((each) => each.attemptId === attempt.attemptId);
  const [turned, setTurned] = useState<{ readonly of: string; readonly page: number } | null>(null);
  const pages = Math.ceil(attempts.length / CHOICE_PAGE);
  const own = Math.floor(Math.max(0, at) / CHOICE_PAGE);
  // Another attempt shows its own page, whatever was turned to before.
  const shown = turned?.of === attempt.attemptId ? Math.min(turned.page, pages - 1) : own;
  const listed = attempts.slice(shown * CHOICE_PAGE, (shown + 1) * CHOICE_PAGE);
  const options = shown === own ? listed : [attempt, ...listed];
  const choose = (attemptId: string): void => {
    const chosen = attempts.find((each) => each.attemptId === attemptId);
    if (chosen === undefined) return;
    goTo({ page: "run", runId: run.runId, tab: "log", nodeId: chosen.nodeId, attemptId });
  };
  return (
    <div className={styles.bar}>
      <label htmlFor={id}>{t("run.log.attempt")}</label>
      <Select
        id={id}
        size="small"
        className={styles.attempt}
        value={attempt.attemptId}
        onChange={(_, data) => choose(data.value)}
      >
        {options.map((each) => (
          <option key={each.attemptId} value={each.attemptId}>
            {t("run.log.attemptOf", { node: markedText(each.nodeId, true), no: each.attemptNo })}
          </option>
        ))}
      </Select>
      <OutcomeBadge status={attempt.status} />
      {pages > 1 && (
        <Pages
          shown={shown}
          pages={pages}
          total={attempts.length}
          onTurn={(page) => setTurned({ of: attempt.attemptId, page })}
        />
      )}
    </div>
  );
}

interface PagesProps {
  readonly shown: number;
  readonly pages: number;
  readonly total: number;
  readonly onTurn: (page: number) => void;
}

function Pages({ shown, pages, total, onTurn }: PagesProps) {
  const { t } = useTranslation();
  const number = new Intl.NumberFormat(useLanguage());
  const last = shown + 1 === pages;
  return (
    <>
      <span className={page.quiet}>
        {t("run.log.attemptPage", {
          first: number.format(shown * CHOICE_PAGE + 1),
          last: number.format(Math.min(total, (shown + 1) * CHOICE_PAGE)),
          total: number.format(total),
        })}
      </span>
      <Button size="small" disabledFocusable={shown === 0} onClick={() => shown > 0 && onTurn(shown - 1)}>
        {t("run.log.attemptsEarlier")}
      </Button>
      <Button size="small" disabledFocusable={last} onClick={() => !last && onTurn(shown + 1)}>
        {t("run.log.attemptsLater")}
      </Button>
    </>
  );
}
