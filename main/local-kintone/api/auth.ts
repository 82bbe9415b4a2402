import { holdsAppRight } from "../access/app-access.ts";
import { invalid, KintoneError } from "../errors.ts";
import type { AppState, Person, TokenRight } from "../model.ts";
import type { Account } from "../storage/accounts.ts";
import type { CredentialStore, Token } from "../storage/tokens.ts";
import { ADMINISTRATOR } from "../storage/users.ts";
import type { Switches } from "../switches.ts";
import { noPrivilege, TEXT, tokenNotAllowed } from "../texts.ts";
import type { Locale } from "./locale.ts";

/** Who makes the call, and what it may do. */
export interface Actor {
  readonly person: Person;
  /**
   * The user whose rights on apps, records and fields count; null for tokens and set-up, which those rights do not bind
   * (kintone-rest §4).
   */
  readonly account: Account | null;
  /** Language of the account's setting; null when it follows the browser (kintone-rest §3). */
  readonly language: Locale | null;
  /** Throws 403 unless every right on the app is held (kintone-rest §4). */
  require(app: AppState, ...rights: readonly TokenRight[]): void;
  /** True when every right is held. */
  holds(app: AppState, ...rights: readonly TokenRight[]): boolean;
  /** Throws 403 `GAIA_NO01` for APIs closed to tokens. */
  requireUser(): void;
}

/** Set-up of the server itself: bound by nothing. */
export const SET_UP_ACTOR: Actor = {
  person: ADMINISTRATOR,
  account: null,
  language: null,
  require: () => undefined,
  holds: () => true,
  requireUser: () => undefined,
};

/** The same person for conditions that belong to an app, its rights say: they hold whatever that person may see. */
export const unbound = ({ person }: Actor): Actor => ({ ...SET_UP_ACTOR, person });

const MAX_TOKENS = 9;

const notLoggedIn = (): KintoneError =>
  new KintoneError(401, "CB_AU01", { ja: "ログインしてください。", en: "Please login." });

const badPassword = (): KintoneError =>
  new KintoneError(401, "CB_WA01", {
    ja: "ユーザーのパスワード認証に失敗しました。「X-Cybozu-Authorization」ヘッダーの値が正しくありません。",
    en: "Password authentication failed. The value in http header of X-Cybozu-Authorization is not valid.",
  });

/** Only the code is known (kintone-rest §4). */
const twoFactorUser = (): KintoneError =>
  new KintoneError(403, "CB_TW02", {
    ja: "2要素認証が有効なユーザーは、パスワード認証を使用できません。",
    en: "A user with two-factor authentication cannot use password authentication.",
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

function foreignToken(app: AppState, switches: Switches): KintoneError {
  if (switches.foreignTokenCode === "GAIA_IA02") return badToken();
  return switches.foreignTokenCode === "GAIA_NO01" ? tokenNotAllowed() : wrongApp(app);
}

const languageOf = (account: Account | null): Locale | null =>
  account === null || account.language === "auto" ? null : account.language;

function userActor(account: Account): Actor {
  const holds = (app: AppState, rights: readonly TokenRight[]): boolean =>
    rights.every((right) => holdsAppRight(app, account, right));
  return {
    person: { code: account.code, name: account.name },
    account,
    language: languageOf(account),
    holds: (app, ...rights) => holds(app, rights),
    require(app, ...rights) {
      if (!holds(app, rights)) throw noPrivilege();
    },
    requireUser: () => undefined,
  };
}

function tokenActor(tokens: readonly Token[], access: Access): Actor {
  const byApp = new Map(tokens.map((token) => [token.app, token]));
  return {
    person: ADMINISTRATOR,
    account: null,
    // Token calls act as Administrator, so they read in that account's language (kintone-rest §3).
    language: languageOf(access.credentials.findAccount(ADMINISTRATOR.code)),
    holds: (app, ...rights) => rights.every((right) => byApp.get(app.id)?.rights.has(right) ?? false),
    require(app, ...rights) {
      const token = byApp.get(app.id);
      if (token === undefined) throw foreignToken(app, access.switches);
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
  const account = credentials.checkPassword(decoded.slice(0, cut), decoded.slice(cut + 1));
  if (account === null) throw badPassword();
  if (account.twoFactor) throw twoFactorUser();
  return userActor(account);
}

function authenticateTokens(header: string, access: Access): Actor {
  const texts = header
    .split(",")
    .map((text) => text.trim())
    .filter((text) => text !== "");
  if (texts.length === 0) throw notLoggedIn();
  // The code for ten and more is not established (kintone-rest §18).
  if (texts.length > MAX_TOKENS) throw invalid("X-Cybozu-API-Token", TEXT.badShape);
  const tokens = texts.map((text) => {
    const token = access.credentials.findToken(text);
    // A token made in an app's settings counts from the app's first deploy on (kintone-rest §4).
    if (token === null || !access.isDeployed(token.app)) throw badToken();
    return token;
  });
  if (new Set(tokens.map((token) => token.app)).size < tokens.length) throw duplicateToken();
  return tokenActor(tokens, access);
}

/** What authentication asks. */
export interface Access {
  readonly credentials: CredentialStore;
  readonly switches: Switches;
  isDeployed(app: number): boolean;
}

/** Reads the credential headers; a password outranks tokens (kintone-rest §4). */
export function authenticate(headers: Readonly<Record<string, string | undefined>>, access: Access): Actor {
  const password = headers["x-cybozu-authorization"];
  if (password !== undefined && password !== "") return authenticateUser(password, access.credentials);
  const tokens = headers["x-cybozu-api-token"];
  if (tokens !== undefined && tokens !== "") return authenticateTokens(tokens, access);
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
