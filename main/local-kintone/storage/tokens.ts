import { createHash, scryptSync, timingSafeEqual } from "node:crypto";
import { FlowError } from "../../../shared/domain/problem.ts";
import { type IdSource, type Person, TOKEN_RIGHTS, type TokenRight } from "../model.ts";
import { type Database, integer, text } from "./database.ts";

export interface Token {
  readonly app: number;
  readonly label: string;
  readonly rights: ReadonlySet<TokenRight>;
}

/** Who may call: API tokens per app, and users with a password (kintone-rest §4). */
export interface CredentialStore {
  findToken(token: string): Token | null;
  /**
   * Creates the token of this app and label, or returns the one there is with its rights set anew.
   * The text itself is stored, beside its hash: a local drill server must be able to hand the environment
   * block out again, and the file (mode 0600) protects no more than the records in it.
   */
  createToken(app: number, rights: readonly TokenRight[], label: string): string;
  /** Creates a user with every right, or sets the password anew. */
  createUser(user: Person, password: string): void;
  checkPassword(code: string, password: string): Person | null;
  /** True for a user of this store and for the account that token writes are attributed to. */
  hasUser(code: string): boolean;
}

const sha256 = (value: string): string => createHash("sha256").update(value, "utf8").digest("hex");
const SCRYPT_BYTES = 32;

function parseRights(value: string): ReadonlySet<TokenRight> {
  const words = new Set(value.split(","));
  return new Set(TOKEN_RIGHTS.filter((right) => words.has(right)));
}

/** Creates the credential store; both look-ups are cached because every request makes one. */
export function createCredentialStore(database: Database, ids: IdSource): CredentialStore {
  const tokens = new Map<string, Token>();
  // A password is hashed slowly once; later requests compare a digest kept in memory only.
  const checked = new Map<string, { readonly digest: string; readonly person: Person }>();
  return {
    findToken: (token) => findToken(database, tokens, token),
    createToken(app, rights, label) {
      if (rights.length === 0 || label === "") {
        throw new FlowError({
          code: "TOKEN_INVALID",
          message: "A token needs a label and at least one right.",
          remedy: "Name the token and what it may do.",
        });
      }
      const token = storeToken(database, ids, { app, rights, label });
      tokens.delete(token);
      return token;
    },
    createUser(user, password) {
      checked.delete(user.code);
      storeUser(database, ids, user, password);
    },
    checkPassword(code, password) {
      const known = checked.get(code);
      if (known !== undefined && known.digest === sha256(password)) return known.person;
      const person = verifyUser(database, code, password);
      if (person !== null) checked.set(code, { digest: sha256(password), person });
      return person;
    },
    hasUser: (code) =>
      code === "Administrator" || database.sql("SELECT 1 FROM users WHERE code = ?").get(code) !== undefined,
  };
}

function findToken(database: Database, cache: Map<string, Token>, token: string): Token | null {
  const known = cache.get(token);
  if (known !== undefined) return known;
  const row = database.sql("SELECT app, label, rights FROM tokens WHERE hash = ?").get(sha256(token));
  if (row === undefined) return null;
  const found = {
    app: integer(row, "app"),
    label: text(row, "label"),
    rights: parseRights(text(row, "rights")),
  };
  cache.set(token, found);
  return found;
}

function storeToken(
  database: Database,
  ids: IdSource,
  input: { readonly app: number; readonly rights: readonly TokenRight[]; readonly label: string },
): string {
  return database.write(() => {
    const rights = input.rights.join(",");
    const known = database
      .sql("UPDATE tokens SET rights = ? WHERE app = ? AND label = ? RETURNING token")
      .get(rights, input.app, input.label);
    if (known !== undefined) return text(known, "token");
    const token = Buffer.from(ids.random(30)).toString("base64url");
    database
      .sql("INSERT INTO tokens (hash, token, app, rights, label) VALUES (?, ?, ?, ?, ?)")
      .run(sha256(token), token, input.app, rights, input.label);
    return token;
  });
}

function storeUser(database: Database, ids: IdSource, user: Person, password: string): void {
  const salt = Buffer.from(ids.random(16)).toString("hex");
  const hash = scryptSync(password, salt, SCRYPT_BYTES).toString("hex");
  database.write(() =>
    database
      .sql("INSERT OR REPLACE INTO users (code, name, salt, hash) VALUES (?, ?, ?, ?)")
      .run(user.code, user.name, salt, hash),
  );
}

function verifyUser(database: Database, code: string, password: string): Person | null {
  const row = database.sql("SELECT name, salt, hash FROM users WHERE code = ?").get(code);
  if (row === undefined) return null;
  const expected = Buffer.from(text(row, "hash"), "hex");
  const given = scryptSync(password, text(row, "salt"), SCRYPT_BYTES);
  return timingSafeEqual(expected, given) ? { code, name: text(row, "name") } : null;
}
