import { jobLogWrites } from "../../../shared/records/index.ts";
import type { Context } from "./context.ts";
import { answerFailure } from "./failure.ts";
import { secondsText } from "./job-lock.ts";
import { forceLocalLock } from "./local-lock.ts";
import type { LogRecords } from "./log-record.ts";

/**
 * `run --force-unlock` without an orchestrator (execution-contract §4.5): the lock file and every RUNNING record
 * of the profile, each under its revision. What cannot be released is told and left: the run's own lock decides.
 */
export async function releaseAll({ input, deps }: Context, records: LogRecords | null): Promise<void> {
  const profile = input.profile.name;
  if (forceLocalLock(input.cwd, profile))
    deps.say("The lock file of this folder was removed (--force-unlock).");
  if (records === null) return;
  const running = await records.findRunning(profile);
  if (running === null)
    return deps.say("The running jobs of the profile cannot be listed; none was released.");
  for (const { ref, jobKey } of running) {
    if (jobKey === null || jobKey === "") continue;
    const recovery = jobLogWrites.encodeRecovery({
      status: "TIMEOUT",
      jobKey,
      finishedAt: secondsText(deps.nowMs()),
      logDetail: `released by --force-unlock of batch ${input.executionId} on ${input.host}`,
    });
    const answer = await records.update(ref.recordId, ref.revision, recovery);
    if (answer.kind === "ok") {
      deps.events.write("job_lock_force_released", { recordId: ref.recordId, jobKey });
      deps.say(`Released the job lock ${jobKey} of record ${ref.recordId} (--force-unlock).`);
    } else deps.say(answerFailure(answer, `release the job lock ${jobKey}`).message);
  }
}
