import { fieldAccessibility } from "../access/field-access.ts";
import { recordRights } from "../access/record-access.ts";
import { invalid } from "../errors.ts";
import type { AppState, StoredRecord } from "../model.ts";
import { recordNotFound, TEXT } from "../texts.ts";
import { optionalList, positiveInteger } from "./params.ts";
import type { Result } from "./record-endpoints.ts";
import { type Call, callApp, type Services } from "./services.ts";

const MAX_IDS = 100;

/** System fields nobody edits, whatever the rights say. */
const NEVER_EDITABLE: ReadonlySet<string> = new Set([
  "RECORD_NUMBER",
  "CREATOR",
  "MODIFIER",
  "CREATED_TIME",
  "UPDATED_TIME",
]);

function evaluate(services: Services, call: Call, app: AppState, record: StoredRecord): Result {
  const rights = recordRights(services, app, call.actor, record);
  const { account } = call.actor;
  const fields: Record<string, { readonly viewable: boolean; readonly editable: boolean }> = {};
  const all = [
    ...Array.from(app.fields.values(), ({ definition, formula }) => ({
      code: definition.code,
      isFixed: formula !== null || definition.type === "CALC",
    })),
    ...app.system.map(({ code, type }) => ({ code, isFixed: NEVER_EDITABLE.has(type) })),
  ];
  for (const { code, isFixed } of all) {
    const access = account === null ? "WRITE" : fieldAccessibility(app, account, code, record);
    fields[code] = {
      viewable: rights.viewable && access !== "NONE",
      editable: rights.editable && access === "WRITE" && !isFixed,
    };
  }
  const { viewable, editable, deletable } = rights;
  return { id: String(record.id), record: { viewable, editable, deletable }, fields };
}

/** GET `records/acl/evaluate.json`: what the caller may do with up to 100 records (kintone-rest §12). */
export function evaluateRecords(services: Services, call: Call): Result {
  const app = callApp(services, call);
  call.actor.require(app, "view");
  const ids = optionalList(call.params.ids);
  if (ids === null || ids.length === 0) throw invalid("ids", TEXT.parameterRequired);
  if (ids.length > MAX_IDS) throw invalid("ids", TEXT.badShape);
  const rights = ids.map((raw, index) => {
    const id = positiveInteger(raw, `ids[${index}]`);
    const record = services.records.find(app, id);
    if (record === null) throw recordNotFound(id);
    return evaluate(services, call, app, record);
  });
  return { rights };
}
