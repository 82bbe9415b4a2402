import { z } from "zod";
import { IO_AUDIT_MAX_UNITS } from "../domain/io-audit-size.ts";
import { fail, ok, type Problem, type Result } from "../domain/problem.ts";
import { parseJson } from "./wire.ts";

const baselineItem = z.strictObject({
  source: z.string().min(1),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  bytes: z.int().min(0),
});
const inputItem = z.strictObject({
  source: z.string().min(1),
  type: z.literal("IMPORT"),
  sha256: z.string().regex(/^[0-9a-f]{12}$/),
  bytes: z.int().min(0),
  rows: z.int().min(0),
  encoding: z.string(),
});
const outputItem = z.strictObject({
  sink: z.string().min(1),
  type: z.literal("EXPORT"),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  bytes: z.int().min(0),
  rows: z.int().min(0),
  encoding: z.enum(["utf8", "sjis"]),
});

/** One input file as it was hashed before execution. */
export type InputBaseline = z.infer<typeof baselineItem>;
/** One input file as the runner read it; `sha256` is the first 12 hex digits. */
export type InputReceipt = z.infer<typeof inputItem>;
/** One output file as the runner wrote it. */
export type OutputReceipt = z.infer<typeof outputItem>;

/** Sorted by source and unique: anything else was not written by this format (wire-format §1.5). */
const baselineList = z
  .array(baselineItem)
  .refine(
    (items) => items.every((item, index) => index === 0 || (items[index - 1]?.source ?? "") < item.source),
    { message: "baseline is not sorted by source or repeats one" },
  );

const auditSchema = z.discriminatedUnion("kind", [
  z.strictObject({
    version: z.literal(1),
    kind: z.literal("KSQL_FLOWNET_INPUT_BASELINE"),
    inputs: baselineList,
  }),
  z.strictObject({
    version: z.literal(1),
    kind: z.literal("KSQL_FLOWNET_INPUT_AUDIT"),
    baseline: baselineList,
    input_files: z.array(inputItem),
  }),
  z.strictObject({
    version: z.literal(1),
    kind: z.literal("KSQL_FLOWNET_OUTPUT_AUDIT"),
    output_files: z.array(outputItem),
  }),
  z.strictObject({
    version: z.literal(1),
    kind: z.literal("KSQL_FLOWNET_IO_AUDIT"),
    baseline: baselineList,
    input_files: z.array(inputItem),
    output_files: z.array(outputItem),
  }),
]);
/** What an Attempt's `error_message` may hold besides plain error text (wire-format §1.5). */
export type IoAudit = z.infer<typeof auditSchema>;

const AUDIT_KINDS: ReadonlySet<unknown> = new Set(
  auditSchema.options.map((option) => option.shape.kind.value),
);

const bySource = (a: InputBaseline, b: InputBaseline): number =>
  a.source < b.source ? -1 : a.source > b.source ? 1 : 0;

/** Baseline items with exactly the listed keys in written order, sorted by source in code-unit order. */
const baselineItems = (items: readonly InputBaseline[]): InputBaseline[] =>
  items.map(({ source, sha256, bytes }) => ({ source, sha256, bytes })).sort(bySource);

function bounded(json: string): Result<string> {
  if (json.length <= IO_AUDIT_MAX_UNITS) return ok(json);
  return fail(
    problem(
      "IO_AUDIT_TOO_LONG",
      `The input and output record of this attempt needs ${json.length} characters; ${IO_AUDIT_MAX_UNITS} fit.`,
    ),
  );
}

function problem(code: string, message: string): Problem {
  return { code, message, place: "error_message" };
}

/**
 * Input baseline JSON, stored before the start marker (wire-format §1.5). Errors: `IO_AUDIT_TOO_LONG`,
 * `IO_AUDIT_INVALID` (a source repeated).
 */
export function encodeInputBaseline(inputs: readonly InputBaseline[]): Result<string> {
  return encodeAudit({ version: 1, kind: "KSQL_FLOWNET_INPUT_BASELINE", inputs: baselineItems(inputs) });
}

/** One input receipt; `rows` and `encoding` are absent when the source was never materialised. */
export interface ReadInput extends InputBaseline {
  readonly rows?: number | undefined;
  readonly encoding?: string | undefined;
}

/** What is known about the files of a finished attempt; a null part was not declared. */
export interface AttemptFiles {
  readonly inputs: {
    readonly baseline: readonly InputBaseline[];
    readonly files: readonly ReadInput[];
  } | null;
  readonly outputs: readonly Omit<OutputReceipt, "type">[] | null;
}

/**
 * Audit JSON of a finished attempt: input, output or IO audit by what was declared, null when nothing was
 * (wire-format §1.5). Input hashes are cut to 12 digits. Errors as {@link encodeInputBaseline}.
 */
export function encodeIoAudit(files: AttemptFiles): Result<string | null> {
  const outputs = files.outputs?.map(outputJson) ?? null;
  if (files.inputs === null) {
    if (outputs === null) return ok(null);
    return encodeAudit({ version: 1, kind: "KSQL_FLOWNET_OUTPUT_AUDIT", output_files: outputs });
  }
  const baseline = baselineItems(files.inputs.baseline);
  const inputs = inputItems(files.inputs.files);
  if (outputs === null) {
    return encodeAudit({ version: 1, kind: "KSQL_FLOWNET_INPUT_AUDIT", baseline, input_files: inputs });
  }
  return encodeAudit({
    version: 1,
    kind: "KSQL_FLOWNET_IO_AUDIT",
    baseline,
    input_files: inputs,
    output_files: outputs,
  });
}

/**
 * Receipts as the column may hold them: sorted, one a source, complete. A strict reader refuses the others,
 * which the runner reports legitimately (execution-contract §13 W1); the baseline still names every source.
 */
function inputItems(files: readonly ReadInput[]): InputReceipt[] {
  const items = new Map<string, InputReceipt>();
  for (const { source, sha256, bytes, rows, encoding } of [...files].sort(bySource)) {
    if (rows === undefined || encoding === undefined || items.has(source)) continue;
    items.set(source, { source, type: "IMPORT", sha256: sha256.slice(0, 12), bytes, rows, encoding });
  }
  return [...items.values()];
}

function outputJson(file: Omit<OutputReceipt, "type">): OutputReceipt {
  const { sink, sha256, bytes, rows, encoding } = file;
  return { sink, type: "EXPORT", sha256, bytes, rows, encoding };
}

/** A reader refuses what breaks the format, so it is refused here before it is stored. */
function encodeAudit(audit: IoAudit): Result<string> {
  const checked = auditSchema.safeParse(audit);
  if (!checked.success) return fail(problem("IO_AUDIT_INVALID", reasonOf(checked.error)));
  return bounded(JSON.stringify(audit));
}

const reasonOf = (error: z.ZodError): string => {
  const issue = error.issues[0];
  return `The input and output record breaks its format: ${issue?.path.map(String).join(".")} ${issue?.message}`;
};

/**
 * Reads an Attempt's `error_message`: a baseline or audit, null for plain error text, or `IO_AUDIT_INVALID`
 * when the text claims one of the kinds and breaks its format (unknown keys included; wire-format §1.5).
 */
export function decodeIoAudit(errorMessage: string): Result<IoAudit | null> {
  const json = parseJson(errorMessage);
  if (!json.ok || !claimsAudit(json.value)) return ok(null);
  if (errorMessage.length > IO_AUDIT_MAX_UNITS) {
    return fail(
      problem("IO_AUDIT_INVALID", `The input and output record is longer than ${IO_AUDIT_MAX_UNITS}.`),
    );
  }
  const audit = auditSchema.safeParse(json.value);
  return audit.success ? ok(audit.data) : fail(problem("IO_AUDIT_INVALID", reasonOf(audit.error)));
}

/**
 * The text a person reads of an Attempt: its own, or, where the record of its files took that place, the JOB log's
 * (W-17b). `jobLogMessage`: of the Attempt's JOB record; null when there is none.
 */
export function attemptErrorText(errorMessage: string | null, jobLogMessage: string | null): string | null {
  const json = parseJson(errorMessage ?? "");
  return json.ok && claimsAudit(json.value) ? jobLogMessage : errorMessage;
}

function claimsAudit(value: unknown): boolean {
  return typeof value === "object" && value !== null && "kind" in value && AUDIT_KINDS.has(value.kind);
}
