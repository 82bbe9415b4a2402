import { RUNNER_EXIT, type RunnerProfile } from "../../../shared/contract/index.ts";
import { appFields, jobLogWrites } from "../../../shared/records/index.ts";
import { getFormFields } from "../../kintone-client/index.ts";
import type { Calls } from "../run/calls.ts";
import { answerFailure } from "../run/failure.ts";
import { logAppOf } from "../run/prepare.ts";

type Form = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

interface Finding {
  readonly severe: boolean;
  readonly text: string;
}

const OPTIONAL: readonly string[] = ["deleted_count", ...jobLogWrites.ORCHESTRATED_FIELDS];
/** An older log app may lack it; a cancel is then recorded as FAILED (execution-contract §13 W10). */
const OPTIONAL_STATUS = "CANCELLED";

const optionsOf = (field: Readonly<Record<string, unknown>>): readonly string[] =>
  typeof field.options === "object" && field.options !== null ? Object.keys(field.options).sort() : [];

function optionFindings(code: string, expected: readonly string[], actual: readonly string[]): Finding[] {
  const missing = expected.filter((option) => !actual.includes(option));
  const surplus = actual.filter((option) => !expected.includes(option));
  const found: Finding[] = [];
  if (code === "status" && missing.includes(OPTIONAL_STATUS)) {
    const text = `info: status has no option ${OPTIONAL_STATUS}; a cancelled job will be recorded as FAILED.`;
    found.push({ severe: false, text });
  }
  const wrong = missing.filter((option) => code !== "status" || option !== OPTIONAL_STATUS);
  if (wrong.length === 0 && surplus.length === 0) return found;
  const parts = [
    ...(wrong.length > 0 ? [`missing ${wrong.join(", ")}`] : []),
    ...(surplus.length > 0 ? [`not expected ${surplus.join(", ")}`] : []),
  ];
  return [...found, { severe: true, text: `NG: the options of ${code} differ: ${parts.join("; ")}` }];
}

function fieldFindings(
  code: string,
  expected: Readonly<Record<string, unknown>>,
  actual: Readonly<Record<string, unknown>> | undefined,
): readonly Finding[] {
  if (actual === undefined) {
    if (!OPTIONAL.includes(code)) return [{ severe: true, text: `NG: the field ${code} is missing` }];
    const why = code === "deleted_count" ? "deletes are not counted" : "orchestrated runs need it";
    return [{ severe: false, text: `info: the optional field ${code} is missing (${why}).` }];
  }
  const found: Finding[] = [];
  if (actual.type !== expected.type) {
    const text = `NG: the field ${code} is ${String(actual.type)} in place of ${String(expected.type)}`;
    found.push({ severe: true, text });
  }
  if (expected.unique === true && actual.unique !== true) {
    found.push({
      severe: true,
      text: `NG: the field ${code} allows duplicates; the job lock needs it unique`,
    });
  }
  if (expected.type !== "DROP_DOWN") return found;
  return [...found, ...optionFindings(code, optionsOf(expected), optionsOf(actual))];
}

/** What is wrong with the form of a log app (execution-contract §2.6, §6.1). */
function logAppFindings(form: Form): readonly Finding[] {
  const fields = appFields("jobLog", null);
  return Object.entries(fields).flatMap(([code, field]) => fieldFindings(code, { ...field }, form[code]));
}

/** `validate --check-logapp`: exit 0, 1 for a form that does not fit, 3 for one that cannot be read. */
export async function checkLogApp(
  profile: RunnerProfile,
  calls: Calls,
  print: (line: string) => void,
): Promise<number> {
  const appId = logAppOf(profile);
  const answer = await calls.readAlways(getFormFields(appId));
  if (answer.kind !== "ok") {
    print(`NG: ${answerFailure(answer, "read the form of the log app").message}`);
    return RUNNER_EXIT.environment;
  }
  const findings = logAppFindings(answer.value);
  for (const { text } of findings) print(`  ${text}`);
  const count = findings.filter(({ severe }) => severe).length;
  print(count === 0 ? `OK: the log app ${appId} fits` : `NG: the log app ${appId} does not fit (${count})`);
  return count === 0 ? RUNNER_EXIT.success : RUNNER_EXIT.invalid;
}
