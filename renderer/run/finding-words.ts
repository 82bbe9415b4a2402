import type { TFunction } from "i18next";
import type { FindingCode } from "../../shared/domain/reconciliation-finding.ts";
import ja from "../../shared/text/findings.ja.json" with { type: "json" };

// Every code of the reconciliation has its words: a new one without them does not compile (wire-format §6).
const WORDS: Readonly<Record<FindingCode, string>> = ja.findings;

const isFinding = (code: string): code is FindingCode => Object.hasOwn(WORDS, code);

/** What contradicts itself, in the window's language; null for a code of another version. */
export const findingWords = (code: string, t: TFunction): string | null =>
  isFinding(code) ? t(`findings.${code}`) : null;
