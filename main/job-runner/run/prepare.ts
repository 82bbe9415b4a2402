import type { RunnerProfile } from "../../../shared/contract/index.ts";
import { jobLogWrites } from "../../../shared/records/index.ts";
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

/** Step 8: the columns the log app has; the five orchestrated ones must be among them (§6.1). */
export async function readLogForm({ input, calls }: Context, appId: number): Promise<ReadonlySet<string>> {
  const unavailable = (message: string): RunFailure =>
    new RunFailure("LOCK_UNAVAILABLE", "LOCK_UNAVAILABLE", message);
  const answer = await calls.readAlways(getFormFields(appId));
  if (answer.kind !== "ok") {
    throw unavailable(answerFailure(answer, "read the form of the log app").message);
  }
  const fields = new Set(Object.keys(answer.value));
  const needed = input.orchestrated === null ? [] : jobLogWrites.ORCHESTRATED_FIELDS;
  const missing = needed.filter((field) => !fields.has(field));
  if (missing.length === 0) return fields;
  throw unavailable(`The log app ${appId} lacks ${missing.join(", ")}; an orchestrated run needs them.`);
}

/** Steps 11 and 12: everything that can be known to be wrong is found before the job lock exists (W7). */
export async function validate(
  { input, deps, calls }: Context,
  job: Job,
): Promise<ReadonlyMap<number, readonly SourceField[]>> {
  const { profile, asOfMs, strict = false } = input;
  const { findings, forms } = await checkJob(job, calls, { profile, asOfMs, strict });
  for (const finding of findings) deps.say(findingLine(job.scriptName, finding));
  const error = firstError(findings);
  if (error !== null) throw error;
  return forms;
}
