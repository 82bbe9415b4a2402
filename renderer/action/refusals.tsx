import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import type { Problem } from "../../shared/domain/problem.ts";
import face from "../components/face.module.css";
import { ForeignText } from "../components/text.tsx";
import { guidanceWords } from "../guidance/words.ts";
import { useLanguage } from "../state/context.tsx";
import type { Language } from "../text/i18n.ts";
import styles from "./action.module.css";

/** Codes that only a plan tells, with words of their own beside the guidance. */
const OWN = {
  RUN_ALREADY_TERMINAL: "terminal",
  RUN_NOT_TERMINAL: "notTerminal",
  RUN_ALREADY_ARCHIVED: "archived",
  RERUN_FROM_SUCCESS_RUN: "succeeded",
} as const;
const isOwn = (code: string): code is keyof typeof OWN => Object.hasOwn(OWN, code);

/** Cause and next step of a refusal: in the words of the guidance, else of the pages (orchestration §11.4). */
export function refusalText(
  problem: Problem,
  t: TFunction,
  language: Language,
): { readonly cause: string; readonly next: string } {
  const { code } = problem;
  if (isOwn(code)) {
    return { cause: t(`action.refusal.${OWN[code]}.cause`), next: t(`action.refusal.${OWN[code]}.next`) };
  }
  const words = guidanceWords(code, t, language);
  if (words.group !== "unknown") return { cause: words.cause, next: words.act };
  return { cause: t("action.refusal.unknown"), next: problem.remedy ?? t("nextUnknown.next") };
}

/** Every reason against it, the one execution would tell first; nobody repairs one to meet the next (operator-ux D11). */
export function Refusals({ problems }: { readonly problems: readonly Problem[] }) {
  const { t } = useTranslation();
  return (
    <section className={styles.refusals} aria-label={t("action.refusal.title")}>
      <h3 className={styles.heading}>{t("action.refusal.title")}</h3>
      <ul>
        {problems.map((problem) => (
          <li key={`${problem.code} ${problem.place}`}>
            <Refusal problem={problem} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Refusal({ problem }: { readonly problem: Problem }) {
  const { t } = useTranslation();
  const { cause, next } = refusalText(problem, t, useLanguage());
  return (
    <>
      <strong>{cause}</strong> <span className={face.code}>({problem.code})</span>
      <p className={styles.line}>{next}</p>
      <details className={styles.fold}>
        <summary>{t("problem.detail")}</summary>
        <p className={styles.line}>
          {problem.place !== undefined && (
            <>
              <ForeignText text={problem.place} />
              {": "}
            </>
          )}
          <ForeignText text={problem.message} />
        </p>
      </details>
    </>
  );
}
