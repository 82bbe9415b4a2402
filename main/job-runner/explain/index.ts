import { readFileSync } from "node:fs";
import { FlowError, type Problem } from "../../../shared/domain/problem.ts";
import { codeOf, loadProfile } from "../config.ts";
import { RunFailure } from "../run/failure.ts";
import { loadJob } from "../run/load-job.ts";
import { explainJob } from "./explain-job.ts";
import { formsFileSchema, type JobExplanation } from "./explanation.ts";

export { explanationText } from "./explain-text.ts";
export { type JobExplanation, jobExplanationSchema } from "./explanation.ts";

export interface ExplainRequest {
  readonly sqlPath: string;
  readonly configPath: string;
  /** Null for the configuration's default. */
  readonly profile: string | null;
  /** A JSON file of forms; null where none is at hand. */
  readonly formsPath: string | null;
  readonly asOfMs: number;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

const problem = (message: string, place: string): FlowError =>
  new FlowError({ code: "CONFIG_ERROR", message, place } satisfies Problem);

/** Tokens are no part of an explanation: whoever explains a job need not hold them. */
function withoutSecrets(environment: ExplainRequest["environment"]): ExplainRequest["environment"] {
  return new Proxy(environment, { get: (known, name) => known[String(name)] ?? "https://not-set.invalid" });
}

function readForms(path: string | null): ReturnType<typeof formsFileSchema.parse> {
  if (path === null) return {};
  try {
    const parsed = formsFileSchema.safeParse(JSON.parse(readFileSync(path, "utf8")));
    if (parsed.success) return parsed.data;
  } catch (error) {
    throw problem(`The file of forms cannot be read: ${codeOf(error)}.`, path);
  }
  throw problem("The file of forms is not {app: {field: properties}}.", path);
}

/** Explains a job from files alone, without any request. Throws FlowError with the place of what is wrong. */
export function explainFile(request: ExplainRequest): JobExplanation {
  const loaded = loadProfile(request.configPath, request.profile, withoutSecrets(request.environment));
  if (!loaded.ok) throw new FlowError(loaded.error);
  const { profile } = loaded.value;
  const forms = readForms(request.formsPath);
  try {
    const job = loadJob(request.sqlPath, profile.name, null);
    return explainJob(job, { profile, asOfMs: request.asOfMs, forms });
  } catch (error) {
    if (error instanceof RunFailure) throw problem(error.message, request.sqlPath);
    throw error;
  }
}
