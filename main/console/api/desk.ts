import type { Desk } from "../desk.ts";
import { auditHandlers, savedFileHandlers } from "./audit.ts";
import { bundleHandlers } from "./bundle.ts";
import type { ModeHolder } from "./mode.ts";
import { notesHandlers } from "./notes.ts";

/** The handlers of what is read back, noted, and taken along. */
export const deskHandlers = (desk: Desk, mode: Pick<ModeHolder, "now">) => ({
  audit: auditHandlers(desk.audit),
  files: savedFileHandlers(desk.files),
  bundle: bundleHandlers(desk.bundles),
  notes: notesHandlers(desk.notes, mode),
});
