import type { People } from "../model.ts";
import type { Database } from "./database.ts";
import type { CredentialStore } from "./tokens.ts";

/** Answers who exists from the users of the store; token writes are the account `Administrator` (kintone-rest §4). */
export function createPeople(database: Database, credentials: Pick<CredentialStore, "hasUser">): People {
  return {
    hasUser: (code) => credentials.hasUser(code),
    hasOrganization: () => false,
    hasGroup: () => false,
    nameOf(kind, code) {
      if (kind !== "USER" || !credentials.hasUser(code)) return null;
      const name = database.sql("SELECT name FROM users WHERE code = ?").get(code)?.name;
      return typeof name === "string" ? name : code;
    },
    primaryOrganization: () => null,
  };
}
