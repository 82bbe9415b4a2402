import { readFile, stat } from "node:fs/promises";
import path from "node:path";
import { LineCounter, parseDocument } from "yaml";
import { type NetworkDefinition, validateNetwork } from "../../shared/domain/index.ts";
import { errorText, fail, ok, type Problem, type Result } from "../../shared/domain/problem.ts";
import { positionAt, positionOfAlias, positionOfPlace } from "./definition-position.ts";

/** A definition read from disk: the exact bytes that are bundled, and where each node's SQL lies. */
export interface LoadedDefinition {
  readonly definition: NetworkDefinition;
  readonly filePath: string;
  readonly bytes: Uint8Array;
}

/** Where a node's SQL lies: relative to the definition's directory, `..` allowed (orchestration section 1.1). */
export function sqlPathOf(filePath: string, sql: string): string {
  return path.resolve(path.dirname(filePath), sql);
}

/**
 * Reads and validates a network definition (orchestration sections 1.1 and 1.2). SQL files are not opened.
 * Every problem found is returned, each with its path in `place` and, where the text has one, file, line
 * and column in `details`. Errors: `NETWORK_FILE_UNREADABLE`, `YAML_PARSE_ERROR`, `YAML_VALUE_INVALID` and the
 * codes of the validation.
 */
export async function loadDefinition(
  filePath: string,
  options: { readonly profile?: string } = {},
): Promise<Result<LoadedDefinition, readonly Problem[]>> {
  const absolute = path.resolve(filePath);
  let bytes: Uint8Array;
  try {
    bytes = await readFile(absolute);
  } catch (error) {
    return fail([
      {
        code: "NETWORK_FILE_UNREADABLE",
        message: `The network definition cannot be read: ${errorText(error)}`,
        place: "$",
        remedy: "Check the path and that this account may read the file.",
        details: { file: absolute },
      },
    ]);
  }
  const parsed = parseDefinition(bytes, absolute, options);
  return parsed.ok ? ok({ definition: parsed.value, filePath: absolute, bytes }) : parsed;
}

/** The same for bytes that are already at hand, such as the stored bundle's `network.yaml`. */
export function parseDefinition(
  bytes: Uint8Array,
  file: string,
  options: { readonly profile?: string; readonly peerRulesOnly?: boolean } = {},
): Result<NetworkDefinition, readonly Problem[]> {
  const lines = new LineCounter();
  const document = parseDocument(Buffer.from(bytes).toString("utf8"), {
    version: "1.2",
    uniqueKeys: true,
    lineCounter: lines,
    prettyErrors: false,
  });
  if (document.errors.length > 0) {
    return fail(
      document.errors.map((error) => ({
        code: "YAML_PARSE_ERROR",
        message: error.message,
        place: "$",
        remedy: "Correct the YAML text at this place.",
        details: { file, ...positionAt(lines, error.pos[0]) },
      })),
    );
  }
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: 100 });
  } catch (error) {
    return fail([
      {
        code: "YAML_VALUE_INVALID",
        message: errorText(error),
        place: "$",
        remedy: "Give the alias an anchor that stands before it, or write the value out.",
        details: { file, ...positionOfAlias(document, lines) },
      },
    ]);
  }
  const { definition, errors } = validateNetwork(value, options);
  if (definition !== undefined && errors.length === 0) return ok(definition);
  return fail(
    errors.map((error) => {
      const property = typeof error.details?.property === "string" ? error.details.property : null;
      const where = positionOfPlace(document, lines, error.place ?? "$", property);
      return { ...error, details: { ...error.details, file, ...where } };
    }),
  );
}

/** Every SQL file of a definition that cannot be opened as a regular file (`SQL_FILE_UNREADABLE`). */
export async function unreadableSqlFiles(loaded: LoadedDefinition): Promise<readonly Problem[]> {
  const checks = loaded.definition.nodes.map(async (node, index): Promise<Problem | null> => {
    const file = sqlPathOf(loaded.filePath, node.sql);
    const reason = await stat(file).then(
      (found) => (found.isFile() ? null : "it is not a regular file"),
      (error: unknown) => errorText(error),
    );
    if (reason === null) return null;
    return {
      code: "SQL_FILE_UNREADABLE",
      message: `The SQL of node "${node.id}" cannot be read: ${reason}`,
      place: `$.nodes/${index}/sql`,
      remedy: "Put the file there or correct the path; it is relative to the definition.",
      details: { file },
    };
  });
  return (await Promise.all(checks)).filter((problem) => problem !== null);
}
