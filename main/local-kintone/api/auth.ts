import { invalid, KintoneError } from "../errors.ts";
import type { AppState, Person, TokenRight } from "../model.ts";
import type { CredentialStore, Token } from "../storage/tokens.ts";
import { noPrivilege, TEXT, tokenNotAllowed } from "../texts.ts";

/** Who makes the call, and what it may do. */
export interface Actor {
  readonly person: Person;
  /** Throws 403 unless every right on the app is held (kintone-rest §4). */
  require(app: AppState, ...rights: readonly TokenRight[]): void;
  /** True when every right is held. */
  holds(app: AppState, ...rights: readonly TokenRight[]): boolean;
  /** Throws 403 `GAIA_NO01` for APIs closed to tokens. */
  requireUser(): void;
}

const MAX_TOKENS = 9;
/** Writes by token are attributed to this account (kintone-rest §4). */
const TOKEN_PERSON: Person = { code: "Administrator", name: "Administrator" };

const notLoggedIn = (): KintoneError =>
  new KintoneError(401, "CB_AU01", { ja: "ログインしてください。", en: "Please login." });

const badPassword = (): KintoneError =>
  new KintoneError(401, "CB_WA01", {
    ja: "ユーザーのパスワード認証に失敗しました。「X-Cybozu-Authorization」ヘッダーの値が正しくありません。",
    en: "Password authentication failed. The value in http header of X-Cybozu-Authorization is not valid.",
  });

const badToken = (): KintoneError =>
  new KintoneError(400, "GAIA_IA02", {
    ja: "指定したAPIトークンは、アプリで生成されたトークンと異なります。",
    en: "The specified API token does not match the API token generated via an app.",
  });

const duplicateToken = (): KintoneError =>
  new KintoneError(400, "GAIA_DA03", {
    ja: "同じアプリのAPIトークンを重複して指定することはできません。",
    en: "You cannot specify a duplicate API token for the same app.",
  });

const wrongApp = (app: AppState): KintoneError =>
  new KintoneError(403, "GAIA_AP15", {
    ja: `APIトークンとアプリ（id: ${app.id}）の組み合わせが正しくありません。`,
    en: `The combination of the API token and the app (id: ${app.id}) is not correct.`,
  });

function userActor(person: Person): Actor {
  return { person, require: () => undefined, holds: () => true, requireUser: () => undefined };
}

function tokenActor(tokens: readonly Token[]): Actor {
  const byApp = new Map(tokens.map((token) => [token.app, token]));
  return {
    person: TOKEN_PERSON,
    holds: (app, ...rights) => rights.every((right) => byApp.get(app.id)?.rights.has(right) ?? false),
    require(app, ...rights) {
      const token = byApp.get(app.id);
      if (token === undefined) throw wrongApp(app);
      if (!rights.every((right) => token.rights.has(right))) throw tokenNotAllowed();
    },
    requireUser() {
      throw tokenNotAllowed();
    },
  };
}

function authenticateUser(header: string, credentials: CredentialStore): Actor {
  const decoded = Buffer.from(header, "base64").toString("utf8");
  const cut = decoded.indexOf(":");
  if (cut < 1) throw badPassword();
  const person = credentials.checkPassword(decoded.slice(0, cut), decoded.slice(cut + 1));
  if (person === null) throw badPassword();
  return userActor(person);
}

function authenticateTokens(header: string, credentials: CredentialStore): Actor {
  const texts = header
    .split(",")
    .map((text) => text.trim())
    .filter((text) => text !== "");
  if (texts.length === 0) throw notLoggedIn();
  // The code for ten and more is not established (kintone-rest §18).
  if (texts.length > MAX_TOKENS) throw invalid("X-Cybozu-API-Token", TEXT.badShape);
  const tokens = texts.map((text) => {
    const token = credentials.findToken(text);
    if (token === null) throw badToken();
    return token;
  });
  if (new Set(tokens.map((token) => token.app)).size < tokens.length) throw duplicateToken();
  return tokenActor(tokens);
}

/** Reads the credential headers; a password outranks tokens (kintone-rest §4). */
export function authenticate(
  headers: Readonly<Record<string, string | undefined>>,
  credentials: CredentialStore,
): Actor {
  const password = headers["x-cybozu-authorization"];
  if (password !== undefined && password !== "") return authenticateUser(password, credentials);
  const tokens = headers["x-cybozu-api-token"];
  if (tokens !== undefined && tokens !== "") return authenticateTokens(tokens, credentials);
  throw notLoggedIn();
}

/** The app of a call must live where its path says (kintone-rest §4). */
export function checkSpace(app: AppState, guestSpaceId: number | null): void {
  if (guestSpaceId !== null && app.guestSpaceId !== guestSpaceId) throw noPrivilege();
  if (guestSpaceId === null && app.guestSpaceId !== null) {
    throw new KintoneError(400, "GAIA_IL23", {
      ja: `ゲストスペース内のアプリです。パスを「/k/guest/${app.guestSpaceId}/v1/」にしてください。`,
      en: `The app is in a guest space. Use the path "/k/guest/${app.guestSpaceId}/v1/".`,
    });
  }
}
