import type { AppState, TokenRight } from "../model.ts";
import { type AppRight, appRightsOf } from "../settings/settings-model.ts";
import type { Account } from "../storage/accounts.ts";
import { isEntity } from "./entities.ts";

const KEY: Readonly<Record<TokenRight, keyof AppRight>> = {
  view: "recordViewable",
  add: "recordAddable",
  edit: "recordEditable",
  delete: "recordDeletable",
  manage: "appEditable",
};

/**
 * True when an account holds a right on an app (kintone-rest §4, §12): the first entry that names the account decides;
 * an account no entry names may do nothing. System administrators manage every app, but their records are no special case.
 */
export function holdsAppRight(app: AppState, account: Account, right: TokenRight): boolean {
  if (right === "manage" && account.administrator) return true;
  const context = { appCreator: app.creator.code, record: null };
  const entry = appRightsOf(app.settings).find((candidate) => isEntity(account, candidate, context));
  return entry?.[KEY[right]] === true;
}
