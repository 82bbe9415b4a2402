import { FlowError } from "../../shared/api/index.ts";
import { residentText } from "./resident-text.ts";
import { desktopTexts, problemLines } from "./texts.ts";

/** What kept the console from opening, on one line of the log. Pure. */
export function openingLine(error: unknown): string {
  if (!(error instanceof FlowError)) return String(error);
  const { code, message, place, remedy } = error.problem;
  return [`${code}: ${message}`, place, remedy].filter((part) => part !== undefined).join(" | ");
}

/**
 * The same for whoever looks at the window: cause, effect and next step in the words of the pages, the technical part
 * below (operator-ux §5.1); a code without words shows its message and remedy. Pure.
 */
export function openingText(error: unknown, languages: readonly string[]): string {
  const texts = desktopTexts(languages);
  if (!(error instanceof FlowError)) return [String(error), texts.open.next].join("\n");
  const { problem } = error;
  const resident = residentText(problem, texts);
  if (resident !== null) return resident;
  const words = problemLines(languages, problem.code);
  const technical = [`${problem.code}: ${problem.message}`, problem.place];
  const lines =
    words === null ? [...technical, problem.remedy ?? texts.open.next] : [...words, "", ...technical];
  return lines.filter((line) => line !== undefined).join("\n");
}
