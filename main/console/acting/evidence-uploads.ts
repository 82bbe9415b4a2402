import { EVIDENCE_MAX_BYTES, EVIDENCE_PART_BYTES, type KeptEvidenceFile } from "../../../shared/api/index.ts";
import { fail, ok, type Problem, type Result } from "../../../shared/domain/problem.ts";

/** One part of a file as a page sends it. */
export interface EvidencePart {
  readonly uploadId: string;
  readonly index: number;
  readonly last: boolean;
  readonly name: string;
  readonly base64: string;
}

export interface EvidenceUploads {
  /** The kept file after its last part, null before. Codes `EVIDENCE_PART_REFUSED` and those of the keeping. */
  keep(part: EvidencePart): Promise<Result<KeptEvidenceFile | null>>;
}

export interface EvidenceUploadsDeps {
  readonly keep: (name: string, bytes: Uint8Array) => Promise<Result<KeptEvidenceFile>>;
  /** Epoch milliseconds. */
  readonly nowMs: () => number;
}

/** Bytes that unfinished uploads may hold together: two of the largest. They live in memory and leave nothing behind. */
const HELD_MAX = 2 * EVIDENCE_MAX_BYTES;
const UPLOADS_MAX = 16;
/** Milliseconds without a part after which an upload counts as left. */
const LEFT_AFTER_MS = 5 * 60_000;

interface Upload {
  readonly name: string;
  readonly parts: Uint8Array[];
  bytes: number;
  atMs: number;
}

/** Puts the parts of a file together, in order, and keeps the whole under its hash (decisions §3). */
export function createEvidenceUploads(deps: EvidenceUploadsDeps): EvidenceUploads {
  const uploads = new Map<string, Upload>();
  const forgetLeft = (): void => {
    // A clock that was set back leaves uploads of a time to come, which would hold their places until then.
    for (const [id, { atMs }] of uploads) {
      if (Math.abs(deps.nowMs() - atMs) > LEFT_AFTER_MS) uploads.delete(id);
    }
  };
  const held = (): number => [...uploads.values()].reduce((sum, { bytes }) => sum + bytes, 0);
  const refuse = (uploadId: string, problem: Problem): Result<never> => {
    uploads.delete(uploadId);
    return fail(problem);
  };
  return {
    async keep({ uploadId, index, last, name, base64 }) {
      forgetLeft();
      const upload = uploads.get(uploadId) ?? { name, parts: [], bytes: 0, atMs: deps.nowMs() };
      const bytes = Buffer.from(base64, "base64");
      const wrong = partProblem(upload, { index, name, size: bytes.byteLength }, held());
      if (wrong !== null) return refuse(uploadId, wrong);
      if (!uploads.has(uploadId) && uploads.size >= UPLOADS_MAX) return fail(tooMany);
      upload.parts.push(bytes);
      upload.bytes += bytes.byteLength;
      upload.atMs = deps.nowMs();
      uploads.set(uploadId, upload);
      if (!last) return ok(null);
      uploads.delete(uploadId);
      return deps.keep(upload.name, Buffer.concat(upload.parts));
    },
  };
}

/** Why a part is not taken, or null; with it the whole upload ends. */
function partProblem(
  upload: Upload,
  part: { readonly index: number; readonly name: string; readonly size: number },
  held: number,
): Problem | null {
  if (/[/\\\p{Cc}]/u.test(part.name) || part.name === "." || part.name === "..") {
    return refused("The name of the file holds a path or a control character.", "name");
  }
  if (part.name !== upload.name) return refused("The parts name different files.", "name");
  if (part.index !== upload.parts.length) {
    return refused(`Part ${part.index} came where part ${upload.parts.length} was due.`, "index");
  }
  if (part.size > EVIDENCE_PART_BYTES) return refused("The part is larger than parts are.", "base64");
  if (upload.bytes + part.size > EVIDENCE_MAX_BYTES) return tooLarge;
  return held + part.size > HELD_MAX ? tooMany : null;
}

const refused = (message: string, place: string): Problem => ({
  code: "EVIDENCE_PART_REFUSED",
  message: `${message} The upload was given up; nothing was kept.`,
  place,
  remedy: "Choose the file again.",
});
const tooLarge: Problem = {
  code: "EVIDENCE_FILE_TOO_LARGE",
  message: `The evidence is larger than the ${EVIDENCE_MAX_BYTES} bytes that are kept.`,
  place: "base64",
  remedy: "Give the part that proves it.",
};
const tooMany: Problem = {
  code: "EVIDENCE_UPLOADS_TOO_MANY",
  message: "Too many files are being taken over at once; this one was not.",
  remedy: "Wait until the others are there, then choose the file again.",
};
