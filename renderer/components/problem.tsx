import { Button } from "@fluentui/react-components";
import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import type { Problem } from "../../shared/domain/problem.ts";
import ja from "../../shared/text/problems.ja.json";
import { GuidanceLink } from "../guidance/guidance-link.tsx";
import { guidanceWords, isGuidanceCode } from "../guidance/words.ts";
import type { Language } from "../text/i18n.ts";
import styles from "./problem.module.css";
import { ForeignText } from "./text.tsx";

type KnownCode = keyof typeof ja.problems;
const isKnown = (code: string): code is KnownCode => Object.hasOwn(ja.problems, code);

export interface Guidance {
  readonly cause: string;
  readonly effect: string;
  readonly next: string;
}

/** Cause, effect and next step of a problem in the window's language (operator-ux §5.1). */
export function guidanceOf(problem: Problem, t: TFunction): Guidance {
  if (isKnown(problem.code)) {
    const { code } = problem;
    return {
      cause: t(`problems.${code}.cause`),
      effect: t(`problems.${code}.effect`),
      next: t(`problems.${code}.next`),
    };
  }
  return {
    cause: t("problem.unknown.cause"),
    effect: t("problem.unknown.effect"),
    next: t("problem.unknown.next"),
  };
}

/** The same, and for a result code in the words of its guidance: what to check stands in place of the effect. */
function toldOf(problem: Problem, t: TFunction, language: Language): Guidance {
  const words = isKnown(problem.code) ? null : guidanceWords(problem.code, t, language);
  if (words === null || words.group === "unknown") return guidanceOf(problem, t);
  return { cause: words.cause, effect: words.check ?? "", next: words.act };
}

interface ProblemPanelProps {
  readonly problem: Problem;
  readonly action?: { readonly label: string; readonly run: () => void };
}

const CHANGED = ["key", "plan", "run"] as const;

/** What moved since the operator confirmed, when the problem says so (operator-ux D6). */
function changedIn(problem: Problem): readonly (typeof CHANGED)[number][] {
  const changed = problem.details?.changed;
  return Array.isArray(changed) ? CHANGED.filter((part) => changed.includes(part)) : [];
}

/** A problem as operators need it: what it is, what it means, what to do; the technical part folded below. */
export function ProblemPanel({ problem, action }: ProblemPanelProps) {
  const { t, i18n } = useTranslation();
  const { cause, effect, next } = toldOf(problem, t, i18n.language === "en" ? "en" : "ja");
  const changed = changedIn(problem);
  return (
    <div className={styles.panel} role="alert">
      <p className={styles.cause}>{cause}</p>
      {effect !== "" && <p className={styles.line}>{effect}</p>}
      <p className={styles.line}>{next}</p>
      {changed.length > 0 && (
        <p className={styles.line}>
          {t("problem.changed")}: {changed.map((part) => t(`changed.${part}`)).join(", ")}
        </p>
      )}
      <details className={styles.details} open={!isKnown(problem.code)}>
        <summary>{t("problem.detail")}</summary>
        <dl className={styles.facts}>
          <dt>{t("problem.code")}</dt>
          <dd>{problem.code}</dd>
          {problem.place !== undefined && (
            <>
              <dt>{t("problem.place")}</dt>
              <dd>
                <ForeignText text={problem.place} />
              </dd>
            </>
          )}
          <dt>{t("problem.detail")}</dt>
          <dd>
            <ForeignText text={problem.message} />
          </dd>
        </dl>
        {isGuidanceCode(problem.code) && (
          <p className={styles.line}>
            <GuidanceLink code={problem.code} words={t("guidance.openFor")} />
          </p>
        )}
      </details>
      {action && (
        <div className={styles.actions}>
          <Button size="small" onClick={action.run}>
            {action.label}
          </Button>
        </div>
      )}
    </div>
  );
}
