/** 監査履歴: what was done, by whom, with which evidence (operator-ux §2.5). */
export { type Audit, createAudit } from "./audit.ts";
export { hashFile } from "./evidence.ts";
export { type ActionReads, createJournalSource } from "./journal.ts";
export type { JournalSource } from "./ports.ts";
export { createRecordSource } from "./records.ts";
