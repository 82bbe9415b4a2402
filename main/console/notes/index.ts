/** 対応中 and notes on Runs (operator-ux §1.2). */
export { type NotesFile, notesFile } from "./file.ts";
export { createNotes, type Notes } from "./notes.ts";
