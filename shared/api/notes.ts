import { oc } from "@orpc/contract";
import { z } from "zod";
import { answer, identifier, isoTime } from "./result.ts";

export const NOTE_MAX = 2000;
export const NAME_MAX = 100;

/** Somebody took an item on: it stays in the list and says so (operator-ux §1.2, 対応中). */
export const acknowledgement = z.object({
  /** As typed: who looks into it. */
  name: z.string(),
  note: z.string(),
  /** Of the operating system: who pressed. */
  account: z.string(),
  at: isoTime,
});
export type Acknowledgement = z.infer<typeof acknowledgement>;

/** Free text about a Run, kept on this host (operator-ux §1.2). */
export const runNote = z.object({
  noteId: z.string(),
  runId: z.string(),
  text: z.string(),
  author: z.string(),
  account: z.string(),
  at: isoTime,
});
export type RunNote = z.infer<typeof runNote>;

const name = z.string().trim().min(1).max(NAME_MAX);
const itemId = z.string().min(1).max(500);
const notes = answer(z.object({ notes: z.array(runNote).readonly() }));

/**
 * 対応中 and notes: kept in the data folder of this host, never in kintone. What is marked can be taken back
 * (operator-ux §2.1, L1); a mark goes by itself once the item is resolved.
 */
export const notesContract = {
  acknowledge: oc
    .input(z.strictObject({ itemId, name, note: z.string().trim().max(NOTE_MAX) }))
    .output(answer(acknowledgement)),
  release: oc.input(z.strictObject({ itemId })).output(answer(z.null())),
  list: oc.input(z.strictObject({ runId: identifier })).output(notes),
  add: oc
    .input(
      z.strictObject({
        noteId: z.uuid(),
        runId: identifier,
        author: name,
        text: z.string().trim().min(1).max(NOTE_MAX),
      }),
    )
    .output(notes),
  remove: oc.input(z.strictObject({ runId: identifier, noteId: z.uuid() })).output(notes),
};
