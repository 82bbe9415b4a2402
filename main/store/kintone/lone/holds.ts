import type { Hold, RecordRef } from "../../../../shared/domain/model.ts";
import { holdCodec, RECORD_KEY_FIELD } from "../../../../shared/records/index.ts";
import type { HoldWrites } from "../../ports.ts";
import { insertLone, updateLone } from "./record-write.ts";
import type { LoneDeps } from "./send-lone.ts";

const says = (wanted: Hold) => {
  const text = holdCodec.encodeJson(wanted);
  // The JSON holds every time with its milliseconds, so equal text is equal authorship.
  return (stored: Hold): boolean => holdCodec.encodeJson(stored) === text;
};

/** Hold writes on the state app (wire-format §1.1, orchestration §4.7). */
export function createHoldWrites(deps: LoneDeps, stateApp: number): HoldWrites {
  const common = { app: stateApp, decode: holdCodec.decode, what: "write the hold", name: "The hold" };
  return {
    insertHold(hold, signal) {
      const recordKey = holdCodec.recordKey(hold.runId);
      const insert = { ...common, record: holdCodec.encode(hold), says: says(hold), recordKey };
      return insertLone(deps, { ...insert, uniqueFields: [RECORD_KEY_FIELD] }, signal);
    },
    updateHold(ref: RecordRef, next, signal) {
      return updateLone(
        deps,
        { ...common, ref, record: holdCodec.encodeUpdate(next), says: says(next) },
        signal,
      );
    },
  };
}
