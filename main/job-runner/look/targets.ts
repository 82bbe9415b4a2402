import { fail, ok, type Result } from "../../../shared/domain/problem.ts";
import type { WriteBody } from "../dialect/ast.ts";
import { DialectError } from "../dialect/diagnostic.ts";
import { parseScript } from "../dialect/parse-script.ts";
import { isWrite } from "../dialect/walk.ts";
import { type KnownApp, resolveApp } from "../plan/apps.ts";

export const WRITE_OPERATIONS = ["INSERT", "UPSERT", "UPDATE", "DELETE", "IMPORT"] as const;
export type WriteOperation = (typeof WRITE_OPERATIONS)[number];

/** An app a job writes to. */
export interface JobTarget {
  /** As the runner's configuration calls it. */
  readonly app: string;
  readonly appId: number;
  readonly operations: readonly WriteOperation[];
  /** Field codes its statements name, in the order of their first use. */
  readonly fields: readonly string[];
  /** Field records are matched by, where a statement names one. */
  readonly key: string | null;
}

const NAMES: Readonly<Record<WriteBody["kind"], WriteOperation>> = {
  insert: "INSERT",
  upsert: "UPSERT",
  update: "UPDATE",
  delete: "DELETE",
  import: "IMPORT",
};

function partsOf(body: WriteBody): Pick<JobTarget, "fields" | "key"> {
  if (body.kind === "update") return { fields: body.assignments.map(({ field }) => field.name), key: null };
  if (body.kind === "delete") return { fields: [], key: null };
  return { fields: body.fields.map(({ name }) => name), key: body.key[0]?.name ?? null };
}

/**
 * The apps a script writes to, each once, in the order of first use; an empty list says that it writes nowhere. Nobody
 * is asked. Error: `JOB_SCRIPT_UNREADABLE`, when a statement cannot be read or names an app that is not configured: a
 * list that may be short would be taken for a whole one.
 */
export function targetsOf(script: string, apps: readonly KnownApp[]): Result<readonly JobTarget[]> {
  const { statements, diagnostics } = parseScript(script);
  const broken = diagnostics.find(({ severity }) => severity === "error");
  if (broken !== undefined) return unreadable(`${broken.line}:${broken.column} ${broken.message}`);
  const found = new Map<number, JobTarget>();
  try {
    for (const { body } of statements) {
      if (!isWrite(body)) continue;
      const { name, appId } = resolveApp(body.target, apps);
      found.set(appId, merged(found.get(appId), name, appId, body));
    }
  } catch (error) {
    if (!(error instanceof DialectError)) throw error;
    return unreadable(error.message);
  }
  return ok([...found.values()]);
}

function merged(before: JobTarget | undefined, app: string, appId: number, body: WriteBody): JobTarget {
  const { fields, key } = partsOf(body);
  const operation = NAMES[body.kind];
  return {
    app,
    appId,
    operations: [...new Set([...(before?.operations ?? []), operation])],
    fields: [...new Set([...(before?.fields ?? []), ...fields])],
    key: before?.key ?? key,
  };
}

const unreadable = (why: string): Result<never> =>
  fail({
    code: "JOB_SCRIPT_UNREADABLE",
    message: `What this job writes to cannot be told from its script: ${why}`,
    place: "sql",
    remedy: "Look at the SQL in the bundle, and at the apps in kintone itself.",
  });
