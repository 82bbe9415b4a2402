import type { TFunction } from "i18next";
import { GUIDANCE_CODES, guidanceOfCode } from "../../shared/domain/guidance.ts";
import type { Actor, Proof } from "../../shared/domain/next-action.ts";
import ja from "../../shared/text/problems.ja.json" with { type: "json" };
import runbookEn from "../../shared/text/runbook.en.json" with { type: "json" };
import runbookJa from "../../shared/text/runbook.ja.json" with { type: "json" };
import type { Language } from "../text/i18n.ts";

/** Beside the texts of the pages: so many keys of one kind would weigh on the type of every text. */
const RUNBOOK = { ja: runbookJa.runbook, en: runbookEn.runbook } as const;

type ConsoleCode = keyof typeof ja.problems;
/** Codes of the console itself, whose cause, effect and next step stand with its problems. */
const CONSOLE_CODES = Object.keys(ja.problems);
const isConsoleCode = (code: string): code is ConsoleCode => Object.hasOwn(ja.problems, code);

export const GUIDANCE_GROUPS = ["next", "own", "console"] as const;
export type GuidanceGroup = (typeof GUIDANCE_GROUPS)[number];

/** What the page of one code says (operator-ux §1.2). */
export interface GuidanceWords {
  readonly code: string;
  readonly group: GuidanceGroup | "unknown";
  readonly cause: string;
  /** What it means for the work; where the code's cause does not say so. */
  readonly effect: string | null;
  /** Null where the words of the code hold none. */
  readonly check: string | null;
  readonly act: string;
  readonly never: string | null;
  readonly who: Actor | null;
  readonly proofs: readonly Proof[];
}

/** Every code that has a page, table first, each once. */
export const LISTED_CODES: readonly string[] = [...new Set([...GUIDANCE_CODES, ...CONSOLE_CODES])];

/** The words of a code's page; of an honest one where the code is not known. Pure. */
export function guidanceWords(code: string, t: TFunction, language: Language): GuidanceWords {
  const of = guidanceOfCode(code);
  const { more, own: words } = RUNBOOK[language];
  if (of.kind === "next") {
    const { code: own, who, proofs } = of.action;
    return {
      code,
      group: "next",
      cause: t(`next.${own}.meaning`),
      effect: null,
      check: more[own].check,
      act: t(`next.${own}.next`),
      never: more[own].never,
      who,
      proofs,
    };
  }
  if (of.kind === "own") {
    return { ...words[of.code], code, group: "own", effect: null, who: of.who, proofs: [] };
  }
  return isConsoleCode(code) ? consoleWords(code, t) : unknownWords(code, t);
}

function consoleWords(code: ConsoleCode, t: TFunction): GuidanceWords {
  return {
    code,
    group: "console",
    cause: t(`problems.${code}.cause`),
    effect: t(`problems.${code}.effect`),
    check: null,
    act: t(`problems.${code}.next`),
    never: null,
    who: null,
    proofs: [],
  };
}

function unknownWords(code: string, t: TFunction): GuidanceWords {
  return {
    code,
    group: "unknown",
    cause: t("guidance.unknown", { code }),
    effect: null,
    check: t("guidance.unknownCheck"),
    act: t("guidance.unknownAct"),
    never: t("guidance.unknownNever"),
    who: "second",
    proofs: [],
  };
}

/** A code as an address may carry it; anything else has no page. */
export const isGuidanceCode = (text: string): boolean => /^[A-Za-z0-9_]{1,100}$/.test(text);

/** Whether a code has words of its own. */
export const hasGuidance = (code: string): boolean =>
  isConsoleCode(code) || guidanceOfCode(code).kind !== "unknown";
