import { z } from "zod";
import type { CloudRunAnswer } from "../../shared/domain/forced-release.ts";
import { errorText } from "../../shared/domain/problem.ts";

const SERVICE = "https://run.googleapis.com/v2/";
const TIMEOUT_MS = 20_000;
const ENDED: ReadonlySet<string> = new Set(["SUCCEEDED", "FAILED", "CANCELLED"]);

const executionSchema = z.looseObject({
  name: z.string(),
  completionTime: z.string().optional(),
  state: z.string().optional(),
});

/** How the cloud is asked; injected, so that a test answers for it. */
export type AskHttp = (url: string, init: RequestInit) => Promise<Response>;

/**
 * Whether a Cloud Run execution has ended (orchestration §3.5): only an answer that names the execution and gives a
 * completion time says so; whatever else comes is "not known". `token` never appears in the answer.
 */
export function createCloudRunQuestion(
  token: string | null,
  ask: AskHttp = fetch,
): (execution: string, signal?: AbortSignal) => Promise<CloudRunAnswer> {
  return async (execution, signal) => {
    if (token === null) return unknown("KSQL_FLOWNET_GCP_ACCESS_TOKEN is not set.");
    try {
      const timeout = AbortSignal.timeout(TIMEOUT_MS);
      const response = await ask(`${SERVICE}${execution}`, {
        headers: { authorization: `Bearer ${token}` },
        signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
        redirect: "error",
      });
      if (!response.ok) return unknown(`the cloud answered with HTTP ${response.status}.`);
      return judge(execution, await response.json());
    } catch (error) {
      return unknown(`the cloud could not be asked (${errorText(error)}).`);
    }
  };
}

function judge(execution: string, body: unknown): CloudRunAnswer {
  const parsed = executionSchema.safeParse(body);
  if (!parsed.success) return unknown("the cloud's answer cannot be read.");
  const { name, completionTime, state } = parsed.data;
  if (name !== execution) return unknown("the cloud answered about another execution.");
  if (completionTime === undefined || Number.isNaN(Date.parse(completionTime))) return { kind: "running" };
  if (state !== undefined && !ENDED.has(state)) return { kind: "running" };
  return { kind: "ended", completionTime };
}

const unknown = (why: string): CloudRunAnswer => ({ kind: "unknown", why });
