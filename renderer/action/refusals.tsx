import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import { nextActionOf } from "../../shared/domain/next-action.ts";
import type { Problem } from "../../shared/domain/problem.ts";
import { guidanceOf, isKnownProblem } from "../components/problem.tsx";
import { ForeignText } from "../components/text.tsx";
import styles from "./action.module.css";

/** Cause and next step of a refusal, in the words of the pages, else in those of the result codes (orchestration §11.4). */
export function refusalText(
  problem: Problem,
  t: TFunction,
): { readonly cause: string; readonly next: string } {
  if (isKnownProblem(problem.code)) return guidanceOf(problem, t);
  const { code } = nextActionOf(problem.code);
  if (code === null)
    return { cause: t("action.refusal.unknown"), next: problem.remedy ?? t("nextUnknown.next") };
  return { cause: t(`next.${code}.meaning`), next: t(`next.${code}.next`) };
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
  const { cause, next } = refusalText(problem, t);
  return (
    <>
      <strong>{cause}</strong> <span className={styles.code}>({problem.code})</span>
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
