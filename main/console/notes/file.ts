import { z } from "zod";
import { acknowledgement, runNote } from "../../../shared/api/index.ts";
import { FlowError } from "../../../shared/domain/problem.ts";
import { parseJson } from "../workspace-config.ts";

/** What people noted on this host (decisions §1): marks of items that are open, and notes on Runs. */
export const notesFile = z.strictObject({
  kind: z.literal("FLOWNET_NOTES"),
  formatVersion: z.literal(1),
  acknowledgements: z.record(z.string(), acknowledgement),
  notes: z.array(runNote),
});
export type NotesFile = z.infer<typeof notesFile>;

const NO_NOTES: NotesFile = {
  kind: "FLOWNET_NOTES",
  formatVersion: 1,
  acknowledgements: {},
  notes: [],
};

/** The file's content; nothing where there is none. Throws `NOTES_UNREADABLE`: what people wrote is never overwritten. */
export function parseNotes(text: string | null, path: string): NotesFile {
  if (text === null) return NO_NOTES;
  const parsed = notesFile.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new FlowError({
    code: "NOTES_UNREADABLE",
    message: `The notes of this host cannot be read: ${issue?.path.map(String).join(".")} ${issue?.message}`,
    place: path,
    remedy: "Restore the file or move it away; it is begun anew then. Nothing was written over it.",
  });
}
