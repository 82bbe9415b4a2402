import type { RunnerProfile } from "../../../shared/contract/index.ts";
import { appFields, jobLogWrites } from "../../../shared/records/index.ts";
import { getFormFields } from "../../kintone-client/index.ts";
import type { SourceField } from "../sources/form.ts";
import { checkJob, findingLine } from "./check-job.ts";
import type { Context } from "./context.ts";
import { answerFailure, RunFailure } from "./failure.ts";
import { firstError, type Job } from "./load-job.ts";

/** App id of the profile's log app. Throws RunFailure `VALIDATION_ERROR` when it names none. */
export function logAppOf(profile: RunnerProfile): number {
  const app = profile.logApp === null ? undefined : profile.apps[profile.logApp];
  if (app !== undefined) return app.id;
  const message = `The profile ${profile.name} names no logApp; without one there is no job lock.`;
  throw new RunFailure("VALIDATION_ERROR", "CONFIG_ERROR", message);
}

/**
 * Step 8: the columns the log app has. With an orchestrator the five correlation columns must be among them;
 * alone, a form that cannot be read stands for the base columns (execution-contract §6.1).
 */
export async function readLogForm(
  { input, calls, deps }: Context,
  appId: number,
): Promise<ReadonlySet<string>> {
  const unavailable = (message: string): RunFailure =>
    new RunFailure("LOCK_UNAVAILABLE", "LOCK_UNAVAILABLE", message);
  const answer = await calls.readAlways(getFormFields(appId));
  if (answer.kind !== "ok") {
    const { message } = answerFailure(answer, "read the form of the log app");
    if (input.orchestrated !== null) throw unavailable(message);
    deps.say(`${message} Only its base columns are written.`);
    return new Set(BASE_FIELDS);
  }
  const fields = new Set(Object.keys(answer.value));
  const needed = input.orchestrated === null ? [] : jobLogWrites.ORCHESTRATED_FIELDS;
  const missing = needed.filter((field) => !fields.has(field));
  if (missing.length === 0) return fields;
  throw unavailable(`The log app ${appId} lacks ${missing.join(", ")}; an orchestrated run needs them.`);
}

const BASE_FIELDS = Object.keys(appFields("jobLog", null)).filter(
  (code) => code !== "deleted_count" && !jobLogWrites.ORCHESTRATED_FIELDS.some((field) => field === code),
);

/** Steps 11 and 12: everything that can be known to be wrong is found before the job lock exists (W7). */
export async function validate(
  { input, deps, calls }: Context,
  job: Job,
): Promise<ReadonlyMap<number, readonly SourceField[]>> {
  const { profile, asOfMs, strict } = input;
  const { findings, forms } = await checkJob(job, calls, { profile, asOfMs, strict });
  for (const finding of findings) deps.say(findingLine(job.scriptName, finding));
  const error = firstError(findings);
  if (error !== null) throw error;
  return forms;
}
