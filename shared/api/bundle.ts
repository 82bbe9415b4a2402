import { oc } from "@orpc/contract";
import { z } from "zod";
import { answer, identifier } from "./result.ts";
import { savedFile } from "./saved-files.ts";

/** A saved evidence or diagnosis, ready to be fetched. */
const savedBundle = z.object({
  file: savedFile,
  files: z.number().int(),
  /** What could not be read; the manifest in it says why. */
  gaps: z.number().int(),
});
export type SavedBundle = z.infer<typeof savedBundle>;

/** 証跡 of one Run, and the 診断一式 of this program (operator-ux §1.2, electron-desktop G5). Both only read. */
export const bundleContract = {
  run: oc.input(z.strictObject({ runId: identifier })).output(answer(savedBundle)),
  diagnosis: oc.input(z.strictObject({})).output(answer(savedBundle)),
};
