import type { TFunction } from "i18next";
import { type AuditEntry, INTENT_KINDS } from "../../shared/api/index.ts";

const PASSPHRASES = ["registered", "replaced", "removed"] as const;
const ROLE_WRITERS = ["console", "file"] as const;
const OTHERS = ["start", "processStop"] as const;

/** What was done, in a few words: an action of a console by its verb, a record by its kind. */
export function kindName({ kind, detail }: Pick<AuditEntry, "kind" | "detail">, t: TFunction): string {
  const passphrase = kind === "approver" && PASSPHRASES.find((each) => each === detail);
  if (passphrase) return t(`audit.approver.${passphrase}`);
  const writer = kind === "roles" && ROLE_WRITERS.find((each) => each === detail);
  if (writer) return t(`audit.roles.${writer}`);
  if (kind !== "action") return t(`audit.kind.${kind}`);
  const intent = INTENT_KINDS.find((each) => each === detail);
  if (intent !== undefined) return t(`action.kind.${intent}.verb`);
  const other = OTHERS.find((each) => each === detail);
  return other === undefined ? t("audit.kind.action") : t(`audit.action.${other}`);
}
