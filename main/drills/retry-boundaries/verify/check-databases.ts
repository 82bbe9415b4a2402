import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { errorText } from "../../../../shared/domain/problem.ts";
import { SUITES } from "../cases/index.ts";
import type { SuiteName } from "../cases/model.ts";
import type { Observation, ReadBack } from "../documents/observation-schema.ts";
import { type StoredCase, storedCases } from "../documents/plan-schema.ts";
import { DATABASE_FILE, readBack } from "../read-back.ts";
import type { Findings } from "./findings.ts";

/**
 * Reads the real database of every case again and compares it with what the run saw last. A copy is read, with
 * its side files: opening a WAL database in place would change the evidence (retry-boundaries §8). Folders and
 * queries are those of this program's table: a folder from elsewhere does not get to run statements here.
 */
export function checkDatabases(
  folder: string,
  suite: SuiteName,
  observations: readonly Observation[],
  findings: Findings,
): void {
  const scratch = mkdtempSync(join(tmpdir(), "retry-boundaries-"));
  try {
    let read = 0;
    for (const definition of storedCases(SUITES[suite].cases)) {
      const recorded = lastReadBack(definition, observations);
      if (!existsSync(join(folder, definition.folder))) {
        if (recorded !== null) findings.differs(definition.folder, "is missing");
        continue;
      }
      if (recorded === null || movedOn(definition, observations)) {
        const why =
          "its children had gone on after the last read-back, so nothing recorded says what it must hold";
        findings.notChecked(`${definition.folder}/${DATABASE_FILE}`, why);
        continue;
      }
      checkCase(
        join(folder, definition.folder),
        join(scratch, definition.folder),
        definition,
        recorded,
        findings,
      );
      read += 1;
    }
    findings.checked(`${read} databases read again, with integrity check and every row`);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function lastReadBack(definition: StoredCase, observations: readonly Observation[]): ReadBack | null {
  const line = observations.findLast((one) => one.case === definition.id && one.kind === "readback");
  return line?.kind === "readback" ? line : null;
}

/** True when a child was started after the last read-back: its work was never read. */
function movedOn(definition: StoredCase, observations: readonly Observation[]): boolean {
  const lines = observations.filter((line) => line.case === definition.id);
  const read = lines.findLastIndex((line) => line.kind === "readback");
  return lines.findLastIndex((line) => line.kind === "child_started" || line.kind === "child_exited") > read;
}

function checkCase(
  from: string,
  to: string,
  definition: StoredCase,
  recorded: ReadBack,
  findings: Findings,
): void {
  const place = `${definition.folder}/${DATABASE_FILE}`;
  try {
    copyFolder(from, to);
    const seen = readBack(to, definition);
    for (const part of ["counts", "rows", "integrity_check", "facts", "journal_mode"] as const) {
      if (JSON.stringify(seen[part]) === JSON.stringify(recorded[part])) continue;
      const text =
        part === "rows" ? "" : `: ${JSON.stringify(seen[part])} instead of ${JSON.stringify(recorded[part])}`;
      findings.differs(place, `holds other ${part} than the run read last${text}`);
    }
  } catch (error) {
    findings.differs(place, `cannot be read: ${errorText(error).replaceAll(to, ".")}`);
  }
}

function copyFolder(from: string, to: string): void {
  mkdirSync(to);
  for (const name of readdirSync(from)) copyFileSync(join(from, name), join(to, name));
}
