import type { NodeState, RecordEdit, RecordEdits } from "../../../shared/domain/model.ts";
import { lastEdit, nodeStateCodec } from "../../../shared/records/index.ts";
import type { Decode } from "./sort-rows.ts";

/**
 * Decodes Node States and keeps whom kintone names for those that something else than an orchestrator changed: their own
 * revision does not follow kintone's (orchestration §6.2, `REVISION_SERIES_INVERTED`). No request of its own.
 */
export function strayEdits(): { readonly decode: Decode<NodeState>; readonly edits: RecordEdits } {
  const edits = new Map<string, RecordEdit>();
  return {
    edits,
    decode(wire) {
      const read = nodeStateCodec.decode(wire);
      if (!read.ok || read.value.revision === read.value.ref.revision) return read;
      const edit = lastEdit(wire);
      if (edit !== null) edits.set(read.value.ref.recordId, edit);
      return read;
    },
  };
}
