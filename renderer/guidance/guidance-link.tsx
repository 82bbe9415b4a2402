import { useTranslation } from "react-i18next";
import { routeHash } from "../app/routes.ts";
import { ForeignText } from "../components/text.tsx";
import styles from "./guidance.module.css";
import { hasGuidance, isGuidanceCode } from "./words.ts";

interface GuidanceLinkProps {
  readonly code: string;
  /** Words instead of the code itself. */
  readonly words?: string;
  /** It may be no result code at all: only one that has guidance is a way to it. */
  readonly onlyKnown?: boolean;
}

/** Codes that ask for nothing: a way to their guidance beside each of them would only be noise. */
const QUIET: ReadonlySet<string> = new Set(["OK", "NO_DATA", "PENDING", "accepted", "applied", "done"]);

/** A result code as a way to its guidance; plain text where it is none (operator-ux §1.2). */
export function GuidanceLink({ code, words, onlyKnown = false }: GuidanceLinkProps) {
  const { t } = useTranslation();
  const strange = onlyKnown && !hasGuidance(code);
  if (!isGuidanceCode(code) || QUIET.has(code) || strange) return <ForeignText text={words ?? code} />;
  return (
    <a
      className={styles.link}
      href={routeHash({ page: "guidance", code })}
      // Whoever speaks to the page says what is written there (WCAG 2.5.3).
      aria-label={`${words === undefined ? "" : `${words}: `}${t("guidance.link", { code })}`}
      title={t("guidance.openFor")}
    >
      {words ?? code}
    </a>
  );
}
