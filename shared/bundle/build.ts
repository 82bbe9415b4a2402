import { sha256Hex, utf8 } from "../domain/hash.ts";
import { fail, ok, type Result } from "../domain/problem.ts";
import { canonicalJson } from "./canonical-json.ts";
import {
  type ApprovedException,
  approvedExceptionSchema,
  isJobPath,
  jobPath,
  MANIFEST_PATH,
  NETWORK_PATH,
} from "./manifest.ts";
import { writeZip } from "./zip-writer.ts";

/** One node's job as it goes into the bundle. */
export interface BundleJob {
  readonly nodeId: string;
  readonly jobId: string;
  /** Exact file bytes. */
  readonly sql: Uint8Array;
  /** What the runner's inspection said; must equal `jobId`. */
  readonly inspectedJobId?: string;
  readonly nondeterministicCodes?: readonly string[];
  readonly approvedExceptions?: readonly ApprovedException[];
}

export interface BundleInput {
  /** Exact bytes of the definition file. */
  readonly networkYaml: Uint8Array;
  readonly jobs: readonly BundleJob[];
}

/** A finished bundle; hashes are lower-case hex SHA-256 (wire-format §3, "Hashes"). */
export interface Bundle {
  readonly zip: Uint8Array<ArrayBuffer>;
  readonly manifestBytes: Uint8Array;
  readonly zipSha256: string;
  readonly manifestSha256: string;
  readonly definitionSha256: string;
}

const refuse = (what: string, place: string): Result<never> =>
  fail({
    code: "BUNDLE_INPUT_INVALID",
    message: `No bundle can be made: ${what}.`,
    place,
    remedy: "Correct the network definition or the job and start again.",
  });

function checkJob(job: BundleJob): Result<null> {
  const place = `node ${job.nodeId}`;
  if (!isJobPath(jobPath(job.nodeId))) {
    return refuse('a node id may contain only A-Z, a-z, 0-9, ".", "_", "-", and not ".."', place);
  }
  if (job.jobId === "") return refuse("the job id is empty", place);
  if (job.inspectedJobId !== undefined && job.inspectedJobId !== job.jobId) {
    return refuse(`its SQL calls itself ${job.inspectedJobId}, the definition says ${job.jobId}`, place);
  }
  for (const exception of job.approvedExceptions ?? []) {
    if (!approvedExceptionSchema.safeParse(exception).success || exception.node_id !== job.nodeId) {
      return refuse("an approved exception is incomplete or belongs to another node", place);
    }
    if (!(job.nondeterministicCodes ?? []).includes(exception.code)) {
      return refuse(`${exception.code} is approved but was not found in the job`, place);
    }
  }
  return ok(null);
}

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** The order of wire-format §3: the five values joined with U+0000. */
const exceptionKey = (exception: ApprovedException): string =>
  [exception.node_id, exception.code, exception.approved_by, exception.approved_at, exception.reason].join(
    "\u0000",
  );

const facts = (path: string, bytes: Uint8Array) => ({
  path,
  byteLength: bytes.length,
  sha256: sha256Hex(bytes),
});

function manifestItem(job: BundleJob) {
  return {
    ...facts(jobPath(job.nodeId), job.sql),
    nodeId: job.nodeId,
    jobId: job.jobId,
    nondeterministicCodes: [...new Set(job.nondeterministicCodes ?? [])].sort(),
    approvedExceptions: [...(job.approvedExceptions ?? [])].sort((a, b) =>
      byText(exceptionKey(a), exceptionKey(b)),
    ),
  };
}

/**
 * The execution bundle of a Run, byte for byte reproducible: the order of `jobs` does not matter
 * (wire-format §3). Error: `BUNDLE_INPUT_INVALID` with the node as place.
 */
export function buildBundle(input: BundleInput): Result<Bundle> {
  if (input.jobs.length === 0) return refuse("the network has no jobs", "network");
  const seen = new Set<string>();
  for (const job of input.jobs) {
    const checked = checkJob(job);
    if (!checked.ok) return checked;
    if (seen.has(job.nodeId)) return refuse("the node occurs twice", `node ${job.nodeId}`);
    seen.add(job.nodeId);
  }
  const jobs = [...input.jobs].sort((a, b) => byText(jobPath(a.nodeId), jobPath(b.nodeId)));
  const files = [facts(NETWORK_PATH, input.networkYaml), ...jobs.map(manifestItem)];
  const manifestBytes = utf8(canonicalJson({ formatVersion: 1, kind: "EXECUTION_BUNDLE_MANIFEST", files }));
  const zip = writeZip([
    { name: NETWORK_PATH, data: input.networkYaml },
    ...jobs.map((job) => ({ name: jobPath(job.nodeId), data: job.sql })),
    { name: MANIFEST_PATH, data: manifestBytes },
  ]);
  if (!zip.ok) return zip;
  return ok({
    zip: zip.value,
    manifestBytes,
    zipSha256: sha256Hex(zip.value),
    manifestSha256: sha256Hex(manifestBytes),
    definitionSha256: sha256Hex(input.networkYaml),
  });
}
