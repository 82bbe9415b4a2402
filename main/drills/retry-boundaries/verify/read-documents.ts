import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { z } from "zod";
import {
  type ArtifactHashes,
  hashesSchema,
  type Manifest,
  manifestSchema,
} from "../documents/manifest-schema.ts";
import { type Observation, observationSchema } from "../documents/observation-schema.ts";
import { type Results, resultsSchema } from "../documents/results-schema.ts";
import { documentText, HASHES_FILE, MANIFEST_FILE, OBSERVATIONS_FILE, RESULTS_FILE } from "../files.ts";
import type { Findings } from "./findings.ts";

/** The documents of a folder, as far as they are there and readable. */
export interface Documents {
  readonly manifest: Manifest | null;
  readonly observations: readonly Observation[] | null;
  readonly results: Results | null;
  readonly hashes: ArtifactHashes | null;
  /** Both files that are written last are there, readable or not. */
  readonly ended: boolean;
}

/**
 * Reads the four files, each against its schema and, byte by byte, against the one form in which we write it.
 * Results and hashes are written last: without them the run did not end, which is no difference.
 */
export function readDocuments(folder: string, findings: Findings): Documents {
  const there = (name: string): boolean => existsSync(join(folder, name));
  return {
    ended: there(RESULTS_FILE) && there(HASHES_FILE),
    manifest: read(folder, MANIFEST_FILE, manifestSchema, findings),
    observations: readObservations(folder, findings),
    results: there(RESULTS_FILE) ? read(folder, RESULTS_FILE, resultsSchema, findings) : null,
    hashes: there(HASHES_FILE) ? read(folder, HASHES_FILE, hashesSchema, findings) : null,
  };
}

function read<T>(folder: string, name: string, schema: z.ZodType<T>, findings: Findings): T | null {
  const text = textOf(folder, name, findings);
  if (text === null) return null;
  const parsed = parse(text, schema);
  if (typeof parsed === "string") {
    findings.differs(name, parsed);
    return null;
  }
  if (documentText(parsed.value) !== text)
    findings.differs(name, "is not in the form in which it is written");
  return parsed.value;
}

function readObservations(folder: string, findings: Findings): readonly Observation[] | null {
  const text = textOf(folder, OBSERVATIONS_FILE, findings);
  if (text === null) return null;
  const parts = text.split("\n");
  // A controller that died in the middle of a line leaves a rest without a line end.
  if (parts.pop() !== "") findings.differs(OBSERVATIONS_FILE, "its last line has no end");
  const lines: Observation[] = [];
  for (const [index, part] of parts.entries()) {
    const parsed = parse(part, observationSchema);
    const place = `${OBSERVATIONS_FILE} line ${index + 1}`;
    if (typeof parsed === "string") {
      findings.differs(place, parsed);
      return null;
    }
    if (JSON.stringify(parsed.value) !== part)
      findings.differs(place, "is not in the form in which it is written");
    if (parsed.value.seq !== index + 1) findings.differs(place, `has the number ${parsed.value.seq}`);
    lines.push(parsed.value);
  }
  return lines;
}

function textOf(folder: string, name: string, findings: Findings): string | null {
  try {
    return readFileSync(join(folder, name), "utf8");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
    findings.differs(name, code === "ENOENT" ? "is missing" : `cannot be read (${code})`);
    return null;
  }
}

function parse<T>(text: string, schema: z.ZodType<T>): { readonly value: T } | string {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return "is no JSON";
  }
  const parsed = schema.safeParse(json);
  if (parsed.success) return { value: parsed.data };
  const issue = parsed.error.issues[0];
  return `does not fit its schema at ${issue?.path.join(".") ?? "?"}: ${issue?.message ?? "unknown"}`;
}
