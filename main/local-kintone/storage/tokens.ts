import { createHash } from "node:crypto";
import { FlowError } from "../../../shared/domain/problem.ts";
import { type IdSource, TOKEN_RIGHTS, type TokenRight } from "../model.ts";
import { type Database, integer, text } from "./database.ts";
import { createUserStore, type UserStore } from "./users.ts";

export interface Token {
  readonly app: number;
  readonly label: string;
  readonly rights: ReadonlySet<TokenRight>;
}

/** API tokens per app (kintone-rest §4). */
export interface TokenStore {
  findToken(token: string): Token | null;
  /**
   * Creates the token of this app and label, or returns the one there is with its rights set anew.
   * The text itself is stored, beside its hash: a local drill server must be able to hand the environment
   * block out again, and the file (mode 0600) protects no more than the records in it.
   */
  createToken(app: number, rights: readonly TokenRight[], label: string): string;
  /** Makes a token unknown; false when there is none with this label. */
  revokeToken(app: number, label: string): boolean;
}

/** Who may call: API tokens per app, and users with a password (kintone-rest §4). */
export interface CredentialStore extends TokenStore, UserStore {}

const sha256 = (value: string): string => createHash("sha256").update(value, "utf8").digest("hex");

function parseRights(value: string): ReadonlySet<TokenRight> {
  const words = new Set(value.split(","));
  return new Set(TOKEN_RIGHTS.filter((right) => words.has(right)));
}

/** Creates the credential store; look-ups are cached because every request makes one. */
export function createCredentialStore(database: Database, ids: IdSource): CredentialStore {
  const tokens = new Map<string, Token>();
  return {
    ...createUserStore(database, ids),
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
    revokeToken(app, label) {
      const row = database.write(() =>
        database.sql("DELETE FROM tokens WHERE app = ? AND label = ? RETURNING token").get(app, label),
      );
      if (row === undefined) return false;
      tokens.delete(text(row, "token"));
      return true;
    },
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
