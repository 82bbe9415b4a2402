import type { RunnerProfile } from "../../../shared/contract/index.ts";
import type { JobLogStatus } from "../../../shared/domain/model.ts";
import { codeOf } from "../config.ts";

/** Milliseconds one notification may take (execution-contract §4.2, step 20). */
const NOTIFY_LIMIT_MS = 10_000;

/** A finished job as the receivers are told of it; texts are masked already. */
export interface FinishedJob {
  readonly batchId: string;
  readonly status: Exclude<JobLogStatus, "RUNNING">;
  readonly exitCode: number;
  readonly asOf: string | null;
  readonly name: string;
  readonly script: string;
  readonly error: string | null;
  readonly finishedAt: string;
}

const FAILURES: readonly string[] = ["FAILED", "ABORTED", "TIMEOUT"] satisfies JobLogStatus[];
const SUCCESSES: readonly string[] = ["SUCCESS", "NO_DATA"] satisfies JobLogStatus[];

async function post(url: string, body: unknown): Promise<string | null> {
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(NOTIFY_LIMIT_MS),
    });
    await response.body?.cancel();
    return response.ok ? null : `HTTP ${response.status}`;
  } catch (error) {
    return codeOf(error);
  }
}

/**
 * Tells the failure webhook and the heartbeat receiver (execution-contract §10, "Notifications"). A cancelled
 * job is no failure. Never throws; `warn` gets what went wrong, without the address, which may be a secret.
 */
export async function notify(
  profile: RunnerProfile,
  job: FinishedJob,
  warn: (message: string) => void,
): Promise<void> {
  const { failureWebhook, heartbeat } = profile.notifications;
  const head = { source: "ksql-flow", profile: profile.name };
  if (failureWebhook !== null && FAILURES.includes(job.status)) {
    const problem = await post(failureWebhook, {
      ...head,
      kind: "job",
      batch_id: job.batchId,
      status: job.status,
      exit_code: job.exitCode,
      as_of: job.asOf,
      jobs: [{ name: job.name, script: job.script, status: job.status, error: job.error }],
      text: `[${profile.name}] ${job.name}: ${job.status}${job.error === null ? "" : ` ${job.error}`}`,
    });
    if (problem !== null) warn(`The failure webhook was not reached: ${problem}.`);
  }
  if (heartbeat !== null && (heartbeat.on === "always" || SUCCESSES.includes(job.status))) {
    const body = { ...head, batch_id: job.batchId, status: job.status, ts: job.finishedAt };
    const problem = await post(heartbeat.url, body);
    if (problem !== null) warn(`The heartbeat receiver was not reached: ${problem}.`);
  }
}
