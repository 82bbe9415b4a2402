import { oc } from "@orpc/contract";
import { z } from "zod";
import { answer } from "./result.ts";

/** Bytes of one part: in base64 it fits a message of the line. */
export const EVIDENCE_PART_BYTES = 512 * 1024;
/** Bytes of one file given as proof. */
export const EVIDENCE_MAX_BYTES = 64 * 1024 * 1024;

const keptEvidence = z.object({
  /** SHA-256 of the bytes, in hex: what forms and audits name it by. */
  sha256: z.string(),
  name: z.string(),
  bytes: z.number().int(),
});
export type KeptEvidenceFile = z.infer<typeof keptEvidence>;

const part = z.strictObject({
  /** One upload; parts come in order from 0. */
  uploadId: z.uuid(),
  index: z.number().int().min(0).max(200),
  last: z.boolean(),
  /** As the operator's file is called; a path in it is refused. */
  name: z.string().min(1).max(200),
  base64: z.base64().max(Math.ceil(EVIDENCE_PART_BYTES / 3) * 4 + 4),
});

/** Files given as proof: hashed and kept in the data folder (decisions §3). Answers null until the last part is there. */
export const evidenceContract = {
  keep: oc.input(part).output(answer(keptEvidence.nullable())),
};
