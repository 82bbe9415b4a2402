import {
  type ConsoleApi,
  EVIDENCE_MAX_BYTES,
  EVIDENCE_PART_BYTES,
  type KeptEvidenceFile,
  settle,
} from "../../shared/api/index.ts";
import type { Problem } from "../../shared/domain/problem.ts";

/** A file as a page gets hold of it, read part by part. */
export interface EvidenceSource {
  readonly name: string;
  readonly size: number;
  /** Bytes from `start` up to, not including, `end`. */
  readonly read: (start: number, end: number) => Promise<Uint8Array>;
}

/** One file given as proof, from the moment it is chosen. */
export interface EvidenceFile {
  readonly id: string;
  readonly name: string;
  readonly size: number;
  /** Bytes that main has. */
  readonly sent: number;
  readonly state: "sending" | "kept" | "failed";
  /** Null until it is kept. */
  readonly sha256: string | null;
  readonly problem: Problem | null;
}

export const freshFile = (id: string, { name, size }: EvidenceSource): EvidenceFile => ({
  id,
  name,
  size,
  sent: 0,
  state: "sending",
  sha256: null,
  problem: null,
});

const CHUNK = 0x8000;

/** Bytes as base64. In pieces: a call takes only so many arguments. */
function base64Of(bytes: Uint8Array): string {
  const pieces: string[] = [];
  for (let at = 0; at < bytes.length; at += CHUNK) {
    pieces.push(String.fromCharCode(...bytes.subarray(at, at + CHUNK)));
  }
  return btoa(pieces.join(""));
}

const failure = (problem: Problem): Partial<EvidenceFile> => ({ state: "failed", problem });

interface Sending {
  readonly api: ConsoleApi;
  readonly uploadId: string;
  readonly source: EvidenceSource;
  /** Told after every part, and of the end. */
  readonly tell: (change: Partial<EvidenceFile>) => void;
  /** Asked before every part: the operator took the file away again. */
  readonly wanted: () => boolean;
}

/**
 * Sends one file to be hashed and kept, in parts (decisions §3). Resolves with the kept file, or null when it was not
 * kept; why is told. Never rejects.
 */
export async function sendEvidence(sending: Sending): Promise<KeptEvidenceFile | null> {
  const { source, tell } = sending;
  if (source.size > EVIDENCE_MAX_BYTES) {
    tell(failure({ code: "EVIDENCE_TOO_LARGE", message: `${source.name}: ${source.size} bytes.` }));
    return null;
  }
  const parts = Math.max(1, Math.ceil(source.size / EVIDENCE_PART_BYTES));
  for (let index = 0; index < parts && sending.wanted(); index++) {
    const answer = await settle(sendPart(sending, index, index === parts - 1));
    if (!answer.ok) {
      tell(failure(answer.error));
      return null;
    }
    const kept = answer.value;
    tell({ sent: Math.min(source.size, (index + 1) * EVIDENCE_PART_BYTES) });
    if (kept === null) continue;
    tell({ state: "kept", sha256: kept.sha256, sent: kept.bytes });
    return kept;
  }
  return null;
}

async function sendPart({ api, uploadId, source }: Sending, index: number, last: boolean) {
  const start = index * EVIDENCE_PART_BYTES;
  const bytes = await source.read(start, Math.min(source.size, start + EVIDENCE_PART_BYTES));
  return api.evidence.keep({ uploadId, index, last, name: source.name, base64: base64Of(bytes) });
}
