import { FlowError, type Problem } from "../../shared/domain/problem.ts";
import { shown } from "./shown.ts";

/**
 * A problem as the command line tells it: the peer's line first, then where and what to do
 * (decisions section 1). Ends with a line feed.
 */
export function problemText(problem: Problem): string {
  const lines = [`Error [${problem.code}]: ${problem.message}`, ...placeAndRemedy(problem)];
  return shown(`${lines.join("\n")}\n`, true);
}

/** One finding of a validation: `- [CODE] path: message` (orchestration section 1.2), then file, line and remedy. */
export function findingText(problem: Problem): string {
  const { place = "$", ...rest } = problem;
  // Only a path into the definition can be corrected there; an option or a file is another matter.
  const remedy = place.startsWith("$") ? { remedy: "Correct the definition at this place." } : {};
  const lines = [
    `- [${problem.code}] ${place}: ${problem.message}`,
    ...placeAndRemedy({ ...remedy, ...rest }),
  ];
  return shown(`${lines.join("\n")}\n`, true);
}

/** Where it is and what to do about it, a line each. */
export function placeAndRemedy(problem: Problem): readonly string[] {
  const position = filePosition(problem);
  const places = [position, problem.place].filter((place) => place !== undefined);
  return [
    ...(places.length === 0 ? [] : [`  at: ${places.join(" ")}`]),
    ...(problem.remedy === undefined ? [] : [`  do: ${problem.remedy}`]),
  ];
}

/** `file:line:column`, as far as the problem's details know. */
function filePosition(problem: Problem): string | undefined {
  const { file, line, column } = problem.details ?? {};
  if (typeof file !== "string") return undefined;
  const numbers = [line, column].filter((part) => typeof part === "number");
  return [file, ...numbers].join(":");
}

/** Anything thrown, as a problem. Messages of foreign errors are kept, their stacks are not shown. */
export function problemOf(error: unknown, fallbackCode: string): Problem {
  if (error instanceof FlowError) return error.problem;
  const message = error instanceof Error ? error.message : String(error);
  const code =
    error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : null;
  return { code: code ?? fallbackCode, message };
}
