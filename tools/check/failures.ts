import { z } from "zod";
import { jsonOf } from "./json-of.ts";

/** A test that failed: where it stands, what it says of the product, and the first words of why. */
export interface Failure {
  readonly place: string;
  readonly title: string;
  readonly why: string;
}

/** Enough of a message to tell a wrong fact from a wait that ran out; the whole one stands further up. */
const LINES_KEPT = 8;

/** The escape character is named by its code: a control character in a pattern is easily lost. */
const COLOURS = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, "gu");

const vitestReport = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string().default(""),
      assertionResults: z.array(
        z.object({
          fullName: z.string(),
          status: z.string(),
          failureMessages: z.array(z.string()).nullish(),
        }),
      ),
    }),
  ),
});

/** The failures of Vitest's JSON report, a file that could not be loaded among them; none when the text is no report. */
export function vitestFailures(text: string): readonly Failure[] {
  const parsed = vitestReport.safeParse(jsonOf(text));
  if (!parsed.success) return [];
  return parsed.data.testResults.flatMap((file) => {
    if (file.status === "failed" && file.assertionResults.length === 0)
      return [{ place: file.name, title: "(the file could not be loaded)", why: firstLines(file.message) }];
    return file.assertionResults
      .filter((test) => test.status === "failed")
      .map((test) => ({
        place: file.name,
        title: test.fullName,
        why: firstLines(test.failureMessages?.[0] ?? ""),
      }));
  });
}

const playwrightError = z.object({ message: z.string().default("") });
const playwrightSpec = z.object({
  title: z.string(),
  ok: z.boolean(),
  file: z.string(),
  line: z.int(),
  tests: z.array(
    z.object({
      status: z.string(),
      results: z.array(z.object({ errors: z.array(playwrightError).default([]) })),
    }),
  ),
});

interface PlaywrightSuite {
  readonly specs: readonly z.infer<typeof playwrightSpec>[];
  readonly suites: readonly PlaywrightSuite[];
}

const playwrightSuite: z.ZodType<PlaywrightSuite> = z.lazy(() =>
  z.object({
    specs: z.array(playwrightSpec).default([]),
    suites: z.array(playwrightSuite).default([]),
  }),
);

const playwrightReport = z.object({
  suites: z.array(playwrightSuite),
  errors: z.array(playwrightError).default([]),
});

/** The failures of Playwright's JSON report, tests that passed only when repeated and errors outside any test among them. */
export function playwrightFailures(text: string): readonly Failure[] {
  const parsed = playwrightReport.safeParse(jsonOf(text));
  if (!parsed.success) return [];
  const outside = parsed.data.errors.map((error) => ({
    place: "",
    title: "(outside any test)",
    why: firstLines(error.message),
  }));
  return [...parsed.data.suites.flatMap(failuresOfSuite), ...outside];
}

function failuresOfSuite(suite: PlaywrightSuite): readonly Failure[] {
  const own = suite.specs
    .filter((spec) => !spec.ok || spec.tests.some((test) => test.status === "flaky"))
    .map((spec) => ({
      place: `${spec.file}:${spec.line}`,
      title: spec.title,
      why: firstLines(
        spec.tests.flatMap((test) => test.results).flatMap((result) => result.errors)[0]?.message ?? "",
      ),
    }));
  return [...own, ...suite.suites.flatMap(failuresOfSuite)];
}

/** A failure as the end of the check prints it, the reason indented under it. */
export function failureText(failure: Failure): string {
  const why = failure.why === "" ? "" : `\n${failure.why.replace(/^/gmu, "      ")}`;
  return `  ✗ ${failure.place} › ${failure.title}${why}`;
}

const firstLines = (message: string): string =>
  message
    .replaceAll(COLOURS, "")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .slice(0, LINES_KEPT)
    .join("\n");
