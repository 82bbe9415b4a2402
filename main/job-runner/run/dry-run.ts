import { neededSources } from "../files/check-exports.ts";
import { createImportSources } from "../sources/import-sources.ts";
import { createCalls } from "./calls.ts";
import type { Context, RunDeps, RunInput } from "./context.ts";
import { judged } from "./context.ts";
import type { Verdict } from "./failure.ts";
import { type Job, loadJob } from "./load-job.ts";
import { openStatements } from "./open-statements.ts";
import { validate } from "./prepare.ts";
import { createPreview, type Preview, type PreviewSample } from "./preview-calls.ts";
import { createProgress } from "./progress.ts";
import { exitCodeOf } from "./result.ts";
import { runStatements } from "./run-statements.ts";

/** What a dry run found, keys in the order of execution-contract §4.5. */
export interface DryRunReport {
  readonly formatVersion: 1;
  readonly kind: "DRY_RUN";
  /** File name of the script. */
  readonly job: string;
  readonly profile: string;
  readonly asOf: string;
  readonly status: "SUCCESS" | "ABORTED" | "NO_DATA" | "FAILED";
  readonly exitCode: number;
  readonly sampleLimit: number;
  readonly reads: { readonly records: number; readonly apiCalls: number };
  readonly writes: readonly {
    readonly app: string;
    readonly appId: number;
    readonly counts: { readonly insert: number; readonly update: number; readonly delete: number };
    readonly estimatedWrites: number;
  }[];
  readonly actualApiCalls: { readonly total: number; readonly read: number; readonly preview: number };
  readonly samples: readonly ({ readonly app: string } & PreviewSample)[];
  readonly gate?: { readonly kind: "ASSERT" | "EXIT"; readonly message: string };
  readonly incomplete: boolean;
  readonly error?: string;
}

const STATUSES: Readonly<Record<string, DryRunReport["status"]>> = {
  OK: "SUCCESS",
  NO_DATA: "NO_DATA",
  ASSERT_FAILED: "ABORTED",
};

/**
 * Runs a job without a lock, without the log app and without a write (execution-contract §4.5): reads are real,
 * writes are answered by a preview, so that later statements see their tables. Never throws.
 */
export async function dryRun(input: RunInput, deps: RunDeps, samples: number): Promise<DryRunReport> {
  const calls = createCalls({
    transport: deps.transport,
    stop: deps.stop,
    retry: input.profile.retry,
    maxApiCalls: input.maxApiCalls ?? input.profile.limits.maxApiCalls,
    sleep: deps.sleep,
    nowMs: deps.nowMs,
    random: Math.random,
    onWait: deps.say,
  });
  const preview = createPreview(calls, samples);
  const progress = createProgress(calls.count);
  const imports = createImportSources(input.imports);
  const context: Context = { input, deps, calls: preview.calls, progress, imports, outputs: [] };
  let job: Job | null = null;
  const exits: string[] = [];
  const verdict = await judged(context, async () => {
    job = loadJob(input.sqlPath, input.profile.name, null);
    progress.resolveJob(job.name);
    for (const line of imports.check(neededSources(job.script))) deps.say(line);
    const forms = await validate(context, job);
    imports.load();
    progress.start(deps.nowMs());
    deps.stop.startDeadline(
      Math.min(
        job.script.header.timeoutSec ?? Number.POSITIVE_INFINITY,
        input.profile.limits.batchTimeoutSec,
      ) * 1000,
    );
    const { runner, workspace } = openStatements(context, forms, () => undefined);
    try {
      return await runStatements(
        job,
        {
          ...runner,
          run: async (statement) => {
            const outcome = await runner.run(statement);
            if (outcome.kind === "EXIT_NO_DATA") exits.push(outcome.message ?? "");
            return outcome;
          },
        },
        { check: deps.stop.check, progress, events: SILENT, stripLiterals: false },
      );
    } finally {
      workspace.dispose();
    }
  });
  const script = input.sqlPath.split(/[\\/]/).at(-1) ?? "";
  return report({ input, deps, script, verdict, preview, samples, exits, total: calls.count() }, progress);
}

const SILENT = { write: () => undefined };

interface Facts {
  readonly input: RunInput;
  readonly deps: RunDeps;
  readonly script: string;
  readonly verdict: Verdict;
  readonly preview: Preview;
  readonly samples: number;
  readonly exits: readonly string[];
  readonly total: number;
}

function report(facts: Facts, progress: Context["progress"]): DryRunReport {
  const { input, deps, verdict, preview, total } = facts;
  const { profile } = input;
  const nameOf = (appId: number): string => {
    const found = Object.entries(profile.apps).find(([, app]) => app.id === appId);
    return found === undefined ? `APP${appId}` : `LAPP_${found[0]}`;
  };
  const status = STATUSES[verdict.resultCode] ?? "FAILED";
  const read = total - preview.requests();
  const message = deps.mask(verdict.error?.message ?? "");
  return {
    formatVersion: 1,
    kind: "DRY_RUN",
    job: facts.script,
    profile: profile.name,
    asOf: new Date(input.asOfMs).toISOString(),
    status,
    exitCode: exitCodeOf(verdict.resultCode),
    sampleLimit: facts.samples,
    reads: { records: progress.readCount(), apiCalls: read },
    writes: preview.writes().map(({ appId, counts, estimatedWrites }) => ({
      app: nameOf(appId),
      appId,
      counts: { ...counts },
      estimatedWrites,
    })),
    actualApiCalls: { total, read, preview: preview.requests() },
    samples: preview.samples().map((sample) => maskSample({ app: nameOf(sample.appId), ...sample }, facts)),
    ...(status === "ABORTED" && { gate: { kind: "ASSERT", message } as const }),
    ...(status === "NO_DATA" && {
      gate: { kind: "EXIT", message: deps.mask(facts.exits[0] ?? "") } as const,
    }),
    incomplete: status === "FAILED" && progress.startedMs() !== null,
    ...(status === "FAILED" && { error: message }),
  };
}

type Shown = DryRunReport["samples"][number];

/** Samples hold cells of records: secrets and `logging.maskFields` are hidden (execution-contract §11). */
function maskSample(sample: Shown, { input, deps }: Facts): Shown {
  const { maskFields, stripLiterals } = input.profile.logging;
  const cell = (field: string, value: string): string => {
    if (maskFields.includes(field)) return "***";
    return stripLiterals ? "?" : deps.mask(value);
  };
  const cells = (all: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
    Object.fromEntries(Object.entries(all).map(([field, value]) => [field, cell(field, value)]));
  return {
    ...sample,
    ...(sample.key !== undefined && { key: cell(sample.keyField ?? "$id", sample.key) }),
    ...(sample.before !== undefined && { before: cells(sample.before) }),
    ...(sample.after !== undefined && { after: cells(sample.after) }),
  };
}

function changeText({ app, kind, keyField, key, before, after }: Shown): string {
  const record = key === undefined ? "" : ` ${keyField ?? "$id"}=${key}`;
  if (kind === "delete") return `    ${app}${record} (deleted)`;
  const cells = Object.entries(after ?? {}).map(([field, value]) =>
    kind === "insert" ? `${field}: ${value}` : `${field}: ${before?.[field] ?? "?"} -> ${value}`,
  );
  return `    ${app}${record}${kind === "insert" ? " (new)" : ""} ${cells.join(", ")}`;
}

/** A dry run for people; ends with a line feed. */
export function dryRunText(report: DryRunReport): string {
  const lines = [
    `[DRY RUN] ${report.job}, profile ${report.profile}, as of ${report.asOf}`,
    `  reads ${report.reads.records} records in ${report.reads.apiCalls} requests`,
    ...report.writes.map(
      ({ app, counts, estimatedWrites }) =>
        `  would insert ${counts.insert}, update ${counts.update}, delete ${counts.delete} in ${app} (${estimatedWrites} requests)`,
    ),
    ...(report.writes.length === 0 ? ["  would write nothing"] : []),
    ...report.samples.map(changeText),
    ...(report.gate === undefined ? [] : [`  stops here, ${report.status}: ${report.gate.message}`]),
    ...(report.error === undefined ? [] : [`  failed: ${report.error}`]),
    `  exit code ${report.exitCode}; kintone was not written to`,
  ];
  return `${lines.join("\n")}\n`;
}
