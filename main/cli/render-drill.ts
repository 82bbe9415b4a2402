import type { Results, Verification } from "../drills/index.ts";

/** The experiment's table for a person: every stage, what each case shows, and what the run does not show. */
export function stageLines(results: Results): string {
  const lines = results.cases.flatMap((one) => [
    `${one.case}  ${one.title.en}`,
    ...one.stages.map((stage) => {
      const expected = JSON.stringify(stage.expected.counts);
      const seen = JSON.stringify(stage.observed?.counts ?? null);
      return `   ${stage.stage.padEnd(12)} expected ${expected}  observed ${seen}  ${verdictOf(stage.match)}`;
    }),
    ...(one.completed ? [`   ${one.lesson.en}`] : []),
  ]);
  const { observed } = results.totals;
  const totals = Object.entries(observed).map(([name, value]) => `${name} ${value}`);
  return [
    ...lines,
    "",
    `Totals: ${totals.join(", ")}`,
    "",
    "Not shown by this run:",
    ...results.caveats.map((caveat) => `- ${caveat.en}`),
    "",
  ].join("\n");
}

function verdictOf(match: boolean | null): string {
  if (match === null) return "did not run";
  return match ? "match" : "MISMATCH";
}

/** The report of `verify` for a person; its first line is the verdict. */
export function verificationLines(report: Verification): string {
  const { run } = report;
  const recorded =
    run === null ? "no verdict" : `${run.status}, ${run.casesCompleted} of ${run.casesPlanned} cases`;
  return [
    `${report.status}: the run recorded ${recorded}`,
    ...(run?.failure ? [`  stopped by ${run.failure.code} in case ${run.failure.case ?? "-"}`] : []),
    ...section(
      "Differences",
      report.differences.map(({ place, message }) => `${place} ${message}`),
    ),
    ...section("Checked", report.checked),
    ...section(
      "Not checked",
      report.notChecked.map(({ what, why }) => `${what}: ${why}`),
    ),
    "",
  ].join("\n");
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [`${title}:`, ...lines.map((line) => `- ${line}`)];
}
