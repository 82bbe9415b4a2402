import type { AttemptEvidenceFacts } from "../../../shared/api/index.ts";
import type { AttemptEvidence } from "../../attempt/index.ts";

/** The journal's lines of one attempt as plain facts (decisions §3). Pure. */
export function evidenceFacts(attemptId: string, evidence: AttemptEvidence): AttemptEvidenceFacts {
  const { intent, spawned, exited, settled } = evidence;
  return {
    attemptId,
    host: (intent ?? spawned ?? exited)?.host ?? null,
    thisHostAndBoot: evidence.thisHostAndBoot,
    mayBeIncomplete: evidence.mayBeIncomplete,
    pid: spawned?.process.pid ?? null,
    processStart: spawned?.process.processStart ?? null,
    image: spawned?.process.image ?? null,
    exitedAt: exited?.at ?? null,
    exitCode: exited?.exitCode ?? null,
    signal: exited?.signal ?? null,
    forced: exited?.forced ?? false,
    launchFailure: exited?.launchFailure ?? null,
    resultSha256: exited?.resultSha256 ?? null,
    stored: settled?.stored ?? null,
  };
}
