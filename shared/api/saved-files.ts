import { oc } from "@orpc/contract";
import { z } from "zod";
import { answer } from "./result.ts";

/** Bytes of one part: in base64 it fits a message of the line. */
export const SAVED_PART_BYTES = 512 * 1024;

/** A file that main made and the page saves where the operator wants it. */
export const savedFile = z.object({
  fileId: z.string(),
  name: z.string(),
  type: z.string(),
  bytes: z.number().int(),
  sha256: z.string(),
  parts: z.number().int(),
});
export type SavedFile = z.infer<typeof savedFile>;

/**
 * Parts of a file that was made a moment ago. It is kept for some minutes in the memory of main and nowhere else: what is
 * not fetched is made again (`FILE_GONE`).
 */
export const savedFilesContract = {
  part: oc
    .input(z.strictObject({ fileId: z.uuid(), index: z.number().int().min(0).max(100_000) }))
    .output(answer(z.object({ base64: z.string() }))),
  /** Nothing more of it will be fetched. */
  done: oc.input(z.strictObject({ fileId: z.uuid() })).output(answer(z.null())),
};
