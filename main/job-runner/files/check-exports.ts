import type { ParsedScript } from "../dialect/parse-script.ts";
import { RunFailure } from "../run/failure.ts";
import type { ExportRequest } from "../run/result-outputs.ts";
import type { NeededSource } from "../sources/import-sources.ts";
import { foldName } from "../values/column-type.ts";

/** The sources a script imports, each once (execution-contract §4.2, step 6). */
export function neededSources(script: ParsedScript): readonly NeededSource[] {
  const names = script.statements.flatMap(({ body }) => (body.kind === "import" ? [body.sourceName] : []));
  return [...new Set(names)].map((name) => ({ name, kind: "CSV" }));
}

/**
 * Compares the exports with the statements (execution-contract §4.2 step 7; W5: found before anything starts).
 * Throws RunFailure `VALIDATION_ERROR` / `ExportSinkNotFoundError`.
 */
export function checkExports(script: ParsedScript, exports: readonly ExportRequest[]): void {
  for (const { name, named } of exports) {
    if (!named) checkOnlySelect(script);
    else if (!makes(script, name)) {
      throw notFound(`No statement makes the temp table #${name} that is to be exported.`);
    }
  }
}

const notFound = (message: string): RunFailure =>
  new RunFailure("VALIDATION_ERROR", "ExportSinkNotFoundError", message);

function checkOnlySelect(script: ParsedScript): void {
  const [only, second] = script.statements;
  if (only?.body.kind === "select" && second === undefined) return;
  throw notFound("An export without a name needs a script of exactly one SELECT.");
}

function makes(script: ParsedScript, name: string): boolean {
  return script.statements.some(({ body }) => {
    if (body.kind === "createTemp") return foldName(body.name) === foldName(name);
    return body.kind === "import" && body.rejects !== null && foldName(body.rejects.table) === foldName(name);
  });
}
