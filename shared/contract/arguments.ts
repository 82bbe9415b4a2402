import { fail, ok, type Problem, type Result } from "../domain/problem.ts";

/** Form of every id handed to the runner (execution-contract §4.1, wire-format §2.4). */
export const RUNNER_ID_PATTERN = /^[A-Za-z0-9._:-]{1,128}$/;

/** Whether a text may be handed to the runner as an id. */
export const isRunnerId = (value: string): boolean => RUNNER_ID_PATTERN.test(value);

/** Name of the result file of an attempt: every character outside `A-Za-z0-9._-` becomes `_` (§4.1). */
export const resultFileName = (attemptId: string): string =>
  `${attemptId.replace(/[^A-Za-z0-9._-]/g, "_")}.json`;

/** Everything one `run` in orchestrator mode is told. Paths are absolute. */
export interface RunArguments {
  readonly sqlPath: string;
  readonly profile: string;
  readonly configPath: string;
  /** ISO 8601 with offset, echoed verbatim by the runner. */
  readonly asOf: string;
  readonly resultPath: string;
  readonly correlationId: string;
  readonly attemptId: string;
  readonly expectedJobId: string;
  readonly imports: readonly { readonly name: string; readonly path: string; readonly sha256: string }[];
  readonly exports: readonly { readonly name: string; readonly path: string }[];
}

const AS_OF = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}.*(Z|[+-]\d{2}:\d{2})$/;
const SHA256 = /^[0-9a-f]{64}$/;

const refuse = (place: string, message: string): Problem => ({
  code: "RUN_ARGUMENT_INVALID",
  message: `${message} The runner was not started.`,
  place,
});

function problemOf(run: RunArguments): Problem | null {
  const ids = [
    ["--correlation-id", run.correlationId],
    ["--attempt-id", run.attemptId],
    ["--expected-job-id", run.expectedJobId],
  ] as const;
  for (const [option, id] of ids) {
    if (!isRunnerId(id)) return refuse(option, "The id does not match ^[A-Za-z0-9._:-]{1,128}$.");
  }
  // A date without time or zone would be echoed and then make the result unusable (execution-contract §13 W18).
  if (!AS_OF.test(run.asOf)) return refuse("--as-of", "The time is not ISO 8601 with an offset.");
  for (const [option, value] of [
    ["-f", run.sqlPath],
    ["--profile", run.profile],
    ["--config", run.configPath],
    ["--result-json", run.resultPath],
  ] as const) {
    if (value === "" || value.startsWith("-"))
      return refuse(option, 'The value is empty or begins with "-".');
  }
  return fileProblem(run);
}

/** A name splits at the first `=`, and a control character would be refused by the runner (execution-contract §4.3). */
function isArgumentName(name: string): boolean {
  const control = [...name].some((character) => character < " " || character === "\u007f");
  return name !== "" && !name.startsWith("-") && !name.includes("=") && !control;
}

function fileProblem(run: RunArguments): Problem | null {
  const misnamed = [...run.imports, ...run.exports].find((file) => !isArgumentName(file.name));
  if (misnamed !== undefined) return refuse(misnamed.name, "The source or sink name cannot be an argument.");
  const unhashed = run.imports.find((file) => !SHA256.test(file.sha256));
  if (unhashed === undefined) return null;
  return refuse(unhashed.name, "The expected SHA-256 is not 64 lower-case hex digits.");
}

const byName = (a: { readonly name: string }, b: { readonly name: string }): number =>
  a.name < b.name ? -1 : a.name > b.name ? 1 : 0;

/**
 * Arguments of `run` in orchestrator mode, in the exact order of execution-contract §4.1; imports and exports
 * are sorted by name in code-unit order. Nothing goes through a shell. Error: `RUN_ARGUMENT_INVALID`.
 */
export function buildRunArguments(run: RunArguments): Result<readonly string[]> {
  const problem = problemOf(run);
  if (problem !== null) return fail(problem);
  const head = ["run", "-f", run.sqlPath, "--profile", run.profile, "--config", run.configPath];
  const mode = ["--as-of", run.asOf, "--result-json", run.resultPath];
  const ids = [
    ...["--correlation-id", run.correlationId],
    ...["--attempt-id", run.attemptId],
    ...["--expected-job-id", run.expectedJobId],
  ];
  const imports = [...run.imports]
    .sort(byName)
    .flatMap(({ name, path, sha256 }) => [
      ...["--import-csv", `${name}=${path}`],
      ...["--expected-import-sha256", `${name}=${sha256}`],
    ]);
  const exports = [...run.exports]
    .sort(byName)
    .flatMap(({ name, path }) => ["--export-csv", `${name}=${path}`]);
  return ok([...head, ...mode, ...ids, ...imports, ...exports]);
}
