import { createHash, scryptSync, timingSafeEqual } from "node:crypto";
import type { IdSource, Person } from "../model.ts";
import {
  type Account,
  type AccountProfileInput,
  accountProfileSchema,
  parseProfile,
  readAccount,
} from "./accounts.ts";
import { type Database, text } from "./database.ts";

/** Users with a password, organisations and groups (kintone-rest §4, §8.4). */
export interface UserStore {
  /** Creates a user or sets the password anew; a profile that is not given stays what it was. */
  createUser(user: Person, password: string, profile?: AccountProfileInput): void;
  createOrganization(organization: Person, parent?: string): void;
  createGroup(group: Person): void;
  checkPassword(code: string, password: string): Account | null;
  findAccount(code: string): Account | null;
  /** Codes of all users of a group or organisation. */
  membersOf(kind: "GROUP" | "ORGANIZATION", code: string): readonly string[];
  /** True for a user of this store and for the account that token writes are attributed to. */
  hasUser(code: string): boolean;
  hasOrganization(code: string): boolean;
  hasGroup(code: string): boolean;
  /** Display name, or null for a code nobody has. */
  nameOf(kind: "USER" | "ORGANIZATION" | "GROUP", code: string): string | null;
  primaryOrganization(user: string): string | null;
}

/** The account token writes are attributed to; it exists on every domain (kintone-rest §4). */
export const ADMINISTRATOR: Person = { code: "Administrator", name: "Administrator" };
const BUILT_IN_GROUPS: ReadonlyMap<string, string> = new Map([
  ["everyone", "Everyone"],
  ["Administrators", "Administrators"],
]);
const SCRYPT_BYTES = 32;
const sha256 = (value: string): string => createHash("sha256").update(value, "utf8").digest("hex");

interface Checked {
  readonly digest: string;
  readonly account: Account;
}

/** Creates the store of users. A password is hashed slowly once; later calls compare a digest kept in memory. */
export function createUserStore(database: Database, ids: IdSource): UserStore {
  const checked = new Map<string, Checked>();
  // Every call by token asks for the account of Administrator.
  const accounts = new Map<string, Account | null>();
  const findAccount = (code: string): Account | null => {
    const known = accounts.get(code);
    if (known !== undefined) return known;
    const row = database.sql("SELECT * FROM users WHERE code = ?").get(code);
    const account = row === undefined ? null : readAccount(database, row);
    if (account !== null || code === ADMINISTRATOR.code) accounts.set(code, account);
    return account;
  };
  const changed = (): void => {
    checked.clear();
    accounts.clear();
  };
  return {
    createUser(user, password, profile) {
      changed();
      storeUser(database, ids, { user, password, profile });
    },
    checkPassword(code, password) {
      const known = checked.get(code);
      const digest = sha256(password);
      if (known !== undefined && known.digest === digest) return known.account;
      const account = verifyUser(database, code, password);
      if (account !== null) checked.set(code, { digest, account });
      return account;
    },
    findAccount,
    ...createDirectory(database, changed, findAccount),
  };
}

function createDirectory(
  database: Database,
  changed: () => void,
  findAccount: (code: string) => Account | null,
): Omit<UserStore, "createUser" | "checkPassword" | "findAccount"> {
  const nameIn = (table: "users" | "organizations" | "user_groups", code: string): string | null => {
    const name = database.sql(`SELECT name FROM ${table} WHERE code = ?`).get(code)?.name;
    return typeof name === "string" ? name : null;
  };
  const nameOf: UserStore["nameOf"] = (kind, code) => {
    if (kind === "ORGANIZATION") return nameIn("organizations", code);
    if (kind === "GROUP") return nameIn("user_groups", code) ?? BUILT_IN_GROUPS.get(code) ?? null;
    return nameIn("users", code) ?? (code === ADMINISTRATOR.code ? ADMINISTRATOR.name : null);
  };
  return {
    nameOf,
    hasUser: (code) => nameOf("USER", code) !== null,
    hasOrganization: (code) => nameOf("ORGANIZATION", code) !== null,
    hasGroup: (code) => nameOf("GROUP", code) !== null,
    primaryOrganization: (code) => findAccount(code)?.primaryOrganization ?? null,
    createOrganization({ code, name }, parent) {
      changed();
      const put = "INSERT OR REPLACE INTO organizations (code, name, parent) VALUES (?, ?, ?)";
      database.write(() => database.sql(put).run(code, name, parent ?? null));
    },
    createGroup({ code, name }) {
      const put = "INSERT OR REPLACE INTO user_groups (code, name) VALUES (?, ?)";
      database.write(() => database.sql(put).run(code, name));
    },
    membersOf: (kind, code) =>
      database
        .sql("SELECT code, profile FROM users ORDER BY code")
        .all()
        .filter((row) => {
          const profile = parseProfile(text(row, "profile"));
          if (kind === "ORGANIZATION") return profile.organizations.includes(code);
          return code === "everyone" || profile.groups.includes(code);
        })
        .map((row) => text(row, "code")),
  };
}

function storeUser(
  database: Database,
  ids: IdSource,
  input: {
    readonly user: Person;
    readonly password: string;
    readonly profile: AccountProfileInput | undefined;
  },
): void {
  const { user, password, profile } = input;
  const salt = Buffer.from(ids.random(16)).toString("hex");
  const hash = scryptSync(password, salt, SCRYPT_BYTES).toString("hex");
  const stored = profile === undefined ? null : JSON.stringify(accountProfileSchema.parse(profile));
  database.write(() =>
    database
      .sql(
        `INSERT INTO users (code, name, salt, hash, profile) VALUES (?1, ?2, ?3, ?4, COALESCE(?5, '{}'))
         ON CONFLICT (code) DO UPDATE SET name = ?2, salt = ?3, hash = ?4, profile = COALESCE(?5, profile)`,
      )
      .run(user.code, user.name, salt, hash, stored),
  );
}

function verifyUser(database: Database, code: string, password: string): Account | null {
  const row = database.sql("SELECT * FROM users WHERE code = ?").get(code);
  if (row === undefined) return null;
  const expected = Buffer.from(text(row, "hash"), "hex");
  const given = scryptSync(password, text(row, "salt"), SCRYPT_BYTES);
  return timingSafeEqual(expected, given) ? readAccount(database, row) : null;
}
