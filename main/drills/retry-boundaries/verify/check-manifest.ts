import { plannedTotals, SUITES } from "../cases/index.ts";
import { DELTA, EVENT_ID } from "../cases/model.ts";
import { codeHashes } from "../controller/manifest.ts";
import type { Manifest } from "../documents/manifest-schema.ts";
import { storedCases } from "../documents/plan-schema.ts";
import { MANIFEST_FILE } from "../files.ts";
import type { Findings } from "./findings.ts";

/** The published plan stands in this program: a manifest that expects anything else is not a run of it (§7). */
export function checkManifest(manifest: Manifest, childProgram: string, findings: Findings): void {
  const { cases } = SUITES[manifest.suite];
  for (const [index, expected] of storedCases(cases).entries()) {
    if (!same(expected, manifest.cases[index])) {
      findings.differs(
        MANIFEST_FILE,
        `case ${expected.id} is not planned as the suite ${manifest.suite} plans it`,
      );
    }
  }
  if (manifest.cases.length !== cases.length)
    findings.differs(MANIFEST_FILE, "plans another number of cases");
  if (!same(manifest.planned, plannedTotals(cases))) findings.differs(MANIFEST_FILE, "promises other totals");
  if (!same(manifest.input, { event_id: EVENT_ID, delta: DELTA })) {
    findings.differs(MANIFEST_FILE, "names another input");
  }
  findings.checked(`fixed input, order of work and expected values of ${cases.length} cases`);
  checkCode(manifest, childProgram, findings);
}

/** Other sources are no forgery: the folder may come from another version of the program. */
function checkCode(manifest: Manifest, childProgram: string, findings: Findings): void {
  const own = codeHashes(childProgram);
  const names = [...new Set([...Object.keys(own), ...Object.keys(manifest.code_sha256)])].sort();
  const other = names.filter((name) => own[name] !== manifest.code_sha256[name]);
  if (other.length === 0) {
    findings.checked(`${names.length} source files are those of this program`);
    return;
  }
  const version = `made by version ${manifest.application_version} with other sources than this program's`;
  findings.notChecked("the code that made this folder", `${version}: ${other.join(", ")}`);
}

function same(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}
