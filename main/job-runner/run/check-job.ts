import type { RunnerProfile } from "../../../shared/contract/index.ts";
import { getFormFields } from "../../kintone-client/index.ts";
import { knownApps } from "../config.ts";
import type { Diagnostic } from "../dialect/diagnostic.ts";
import { appsOf, planScript } from "../plan/plan-script.ts";
import { fieldsOfForm, type SourceField } from "../sources/form.ts";
import { asOfValues } from "../values/as-of.ts";
import { hostZone } from "../values/zone.ts";
import type { Calls } from "./calls.ts";
import { type Job, scriptFindings } from "./load-job.ts";

/** A job looked at from all sides: what is wrong with it, and the forms it stands on. */
export interface CheckedJob {
  readonly findings: readonly Diagnostic[];
  /** By app id; empty when the script itself is wrong, for then no form was read. */
  readonly forms: ReadonlyMap<number, readonly SourceField[]>;
}

export interface CheckInput {
  readonly profile: RunnerProfile;
  readonly asOfMs: number;
  /** Makes an insert that cannot be repeated (KSQL1305) an error (job-dialect §7). */
  readonly strict: boolean;
}

/** An insert that cannot be repeated (job-dialect §7). */
const PLAIN_INSERT = "KSQL1305";

const isError = ({ severity }: Diagnostic): boolean => severity === "error";

/**
 * Everything that can be known to be wrong before a job starts: syntax, references, then field names, types
 * and update keys against the live forms (execution-contract §4.2 steps 11 and 12, W7). Throws RunFailure or
 * Stopped when a form cannot be read.
 */
export async function checkJob(job: Job, calls: Calls, input: CheckInput): Promise<CheckedJob> {
  const { profile, strict } = input;
  const apps = knownApps(profile);
  const severe = (finding: Diagnostic): Diagnostic =>
    strict && finding.code === PLAIN_INSERT ? { ...finding, severity: "error" } : finding;
  const early = scriptFindings(job, apps).map(severe);
  const forms = new Map<number, readonly SourceField[]>();
  if (early.some(isError)) return { findings: early, forms };
  for (const app of appsOf(job.script, apps)) {
    const properties = await calls.read(getFormFields(app.appId), `read the form of LAPP_${app.name}`);
    forms.set(app.appId, fieldsOfForm(properties));
  }
  const timeZone = profile.timezone ?? hostZone();
  const asOf = asOfValues(input.asOfMs, timeZone);
  const planned = planScript(job.script, { apps, forms, asOf, timeZone }).map(severe);
  return { findings: [...early, ...planned], forms };
}

/** `<file>:<line>:<col> <severity> <code> <message>` (execution-contract §2.6). */
export const findingLine = (scriptName: string, finding: Diagnostic): string =>
  `${scriptName}:${finding.line}:${finding.column} ${finding.severity} ${finding.code} ${finding.message}`;
