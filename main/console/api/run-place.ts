import type { Stored } from "../../../shared/domain/model.ts";

/** A record with its place, which orders it (wire-format §5). */
export const placed = <T>(record: Stored<T>) => ({
  ...record,
  recordId: record.ref.recordId,
  recordRevision: record.ref.revision,
});
