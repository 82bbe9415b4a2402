import type { Desk } from "../desk.ts";
import { auditHandlers, savedFileHandlers } from "./audit.ts";

/** The handlers of what is read back and taken along. */
export const deskHandlers = (desk: Desk) => ({
  audit: auditHandlers(desk.audit),
  files: savedFileHandlers(desk.files),
});
