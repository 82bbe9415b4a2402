import { type Actor, unbound } from "../api/auth.ts";
import type { Services } from "../api/services.ts";
import type { AppState, StoredRecord } from "../model.ts";
import type { RecordRight } from "../settings/settings-model.ts";
import type { Account } from "../storage/accounts.ts";
import { recordKey } from "../storage/render.ts";
import { holdsAppRight } from "./app-access.ts";
import { isEntity } from "./entities.ts";

export interface RecordRights {
  readonly viewable: boolean;
  readonly editable: boolean;
  readonly deletable: boolean;
}

/** True when a stored record meets the condition of a right; an empty condition is met by every record. */
function meets(services: Services, app: AppState, actor: Actor, condition: string, id: number): boolean {
  if (condition === "") return true;
  const { source, params } = services.compile(app, condition, unbound(actor));
  const row = services.database
    .sql(`SELECT 1 FROM (${source}) WHERE key = ?`)
    .get(...params, recordKey(app.id, id));
  return row !== undefined;
}

function granted(app: AppState, account: Account, right: RecordRight, record: StoredRecord): RecordRights {
  const context = { appCreator: app.creator.code, record };
  const entry = right.entities.find((candidate) => isEntity(account, candidate, context));
  return entry ?? { viewable: false, editable: false, deletable: false };
}

/**
 * What an account may do with one record (kintone-rest §4, §12): never more than its rights on the app; of the record
 * rights the first whose condition the record meets decides, and a record that meets none follows the app.
 */
export function recordRights(
  services: Services,
  app: AppState,
  actor: Actor,
  record: StoredRecord,
): RecordRights {
  const { account } = actor;
  if (account === null) {
    const holds = (right: "view" | "edit" | "delete"): boolean => actor.holds(app, right);
    return { viewable: holds("view"), editable: holds("edit"), deletable: holds("delete") };
  }
  const right = app.settings.recordRights.find(({ filterCond }) =>
    meets(services, app, actor, filterCond, record.id),
  );
  const given =
    right === undefined
      ? { viewable: true, editable: true, deletable: true }
      : granted(app, account, right, record);
  return {
    viewable: given.viewable && holdsAppRight(app, account, "view"),
    editable: given.editable && holdsAppRight(app, account, "edit"),
    deletable: given.deletable && holdsAppRight(app, account, "delete"),
  };
}
