import { statSync } from "node:fs";
import { arch, platform } from "node:os";
import { FlowError } from "../../../../shared/domain/problem.ts";
import type { Manifest } from "../documents/manifest-schema.ts";
import { type Verification, verificationSchema } from "../documents/results-schema.ts";
import { HASHES_FILE, RESULTS_FILE } from "../files.ts";
import { checkDatabases } from "./check-databases.ts";
import { checkHashes } from "./check-hashes.ts";
import { checkManifest } from "./check-manifest.ts";
import { checkObservations } from "./check-observations.ts";
import { createFindings, type Findings } from "./findings.ts";
import { type Documents, readDocuments } from "./read-documents.ts";

/**
 * Checks a folder made by the experiment, here or elsewhere, without changing it (retry-boundaries §8): hashes,
 * manifest, observations, results and the databases themselves; and names what cannot be checked any more.
 * Throws a FlowError `DRILL_FOLDER_MISSING` when there is no such folder.
 */
export function verifyFolder(folder: string, childProgram: string): Verification {
  if (!isFolder(folder)) throw missing(folder);
  const findings = createFindings();
  const documents = readDocuments(folder, findings);
  const { manifest, observations, results, hashes } = documents;
  const run = results?.status ?? null;
  if (hashes !== null) checkHashes(folder, hashes, findings);
  if (manifest !== null) checkManifest(manifest, childProgram, findings);
  if (manifest !== null && observations !== null) {
    checkObservations(manifest, observations, results, findings);
    checkDatabases(folder, manifest.suite, observations, findings);
  }
  nameTheUncheckable(documents, findings);
  return verificationSchema.parse({
    kind: "RETRY_BOUNDARIES_VERIFICATION",
    formatVersion: 1,
    status: verdict(documents, findings),
    run,
    ...findings.report(),
  });
}

function verdict({ ended, results, hashes }: Documents, findings: Findings): Verification["status"] {
  if (!ended) return "INCOMPLETE";
  return findings.isClean() && results !== null && hashes !== null ? "VERIFIED" : "DIFFERENT";
}

/** A verification that is silent about its limits would promise too much. */
function nameTheUncheckable({ ended, manifest }: Documents, findings: Findings): void {
  if (!ended) {
    findings.notChecked(
      "the run as a whole",
      `it did not end: ${RESULTS_FILE} or ${HASHES_FILE} is missing, and they are written last`,
    );
  }
  findings.notChecked(
    "the states between the stages",
    "only the last state of each database is left; earlier ones stand in the observations alone",
  );
  findings.notChecked(
    "that the processes ended as recorded",
    "PIDs, exit codes, refusals and the journal files of that moment are records, and the processes are gone",
  );
  findings.notChecked("who made this folder", "it is not signed; hashes show changes, not authorship");
  if (manifest !== null) findings.notChecked("the environment", environmentWords(manifest));
}

function environmentWords({ environment, started_at }: Manifest): string {
  const made = `${environment.os} ${environment.release} ${environment.arch}, SQLite ${environment.sqlite_version}, ${started_at}`;
  const here = environment.os === platform() && environment.arch === arch();
  return here
    ? `taken from the manifest: ${made}`
    : `made elsewhere: ${made}; nothing was run again on this machine`;
}

function isFolder(folder: string): boolean {
  return statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function missing(folder: string): FlowError {
  return new FlowError({
    code: "DRILL_FOLDER_MISSING",
    message: "There is no such folder.",
    place: `argument ${folder}`,
    remedy: "Name the folder that was given as --output.",
  });
}
