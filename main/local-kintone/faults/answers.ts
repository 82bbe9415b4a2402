import type { Locale } from "../api/locale.ts";
import { negotiateLocale } from "../api/locale.ts";
import { errorBody, htmlResponse, jsonResponse } from "../api/respond.ts";
import { KintoneError, type Text } from "../errors.ts";
import type { IdSource, KintoneRequest, KintoneResponse } from "../model.ts";
import type { EffectOf, REFUSAL_CODES } from "./effect-schema.ts";
import type { Subject } from "./subject.ts";

/** How refusals are worded: language and ids. */
export interface Wording {
  readonly fallback: Locale;
  readonly ids: IdSource;
}

type RefusalCode = (typeof REFUSAL_CODES)[number];

const same = (text: string): Text => ({ ja: text, en: text });

/** Status and text of each refusal (kintone-rest §3-§7, §10, §11); texts that were not captured are ours. */
const REFUSALS: Readonly<Record<RefusalCode, readonly [number, Text]>> = {
  GAIA_DA02: [
    400,
    {
      ja: "データベースのロックに失敗したため、変更を保存できませんでした。時間をおいて再度お試しください。",
      en: "Failed to save the changes because the database could not be locked. Try again later.",
    },
  ],
  CB_VA01: [400, { ja: "入力内容が正しくありません。", en: "Missing or invalid input." }],
  GAIA_CO02: [
    409,
    {
      ja: "指定したrevisionは最新ではありません。ほかのユーザーがレコードを更新した可能性があります。",
      en: "The revision is not the latest. Someone may update a record.",
    },
  ],
  GAIA_RE01: [404, { ja: "指定したレコードが見つかりません。", en: "The specified record is not found." }],
  GAIA_BL01: [404, { ja: "指定したファイルが見つかりません。", en: "The specified file not found." }],
  GAIA_CN01: [404, same("指定したカーソルは存在しないか、既に有効期限が切れています。")],
  GAIA_TM12: [
    429,
    same(
      "作成できるカーソルの上限に達しているため、カーソルを作成できません。不要なカーソルを削除するか、しばらく経ってから再実行してください。",
    ),
  ],
  GAIA_NO01: [
    403,
    {
      ja: "このAPIトークンでは、指定したAPIを実行できません。",
      en: "Using this API token, you cannot run the specified API.",
    },
  ],
  GAIA_IA02: [
    400,
    {
      ja: "指定したAPIトークンは、アプリで生成されたトークンと異なります。",
      en: "The specified API token does not match the API token generated via an app.",
    },
  ],
  CB_NO02: [403, { ja: "権限がありません。", en: "No privilege to proceed." }],
};

const NO_CACHE = { "Cache-Control": "no-cache, no-store, must-revalidate" };

/** The error as kintone words it; inside a bulk at the place of its entry (kintone-rest §3, §9). */
export function refusal(
  error: KintoneError,
  request: KintoneRequest,
  subject: Subject,
  place: { readonly index: number | null; readonly wording: Wording },
): KintoneResponse {
  const { index, wording } = place;
  const locale = negotiateLocale(request.headers["accept-language"], wording.fallback);
  const body = errorBody(error, locale, wording.ids);
  const entries = subject.parts.length - 1;
  const content =
    index === null
      ? body
      : { results: Array.from({ length: entries }, (_, at) => (at === index ? body : {})) };
  const response = jsonResponse(error.status, JSON.stringify(content), error.code);
  return error.status === 429 ? { ...response, headers: { ...response.headers, ...NO_CACHE } } : response;
}

/** The refusal a rule asks for. */
export function refusalError(effect: Pick<EffectOf<"refuse">, "code" | "key" | "text">): KintoneError {
  const [status, text] = REFUSALS[effect.code];
  if (effect.code !== "CB_VA01") return new KintoneError(status, effect.code, text);
  const key = effect.key ?? "record.status.value";
  return new KintoneError(status, effect.code, text, new Map([[key, [same(effect.text ?? "Required.")]]]));
}

/** 429 `GAIA_TO04` (kintone-rest §14). */
export const overLimit = (): KintoneError =>
  new KintoneError(429, "GAIA_TO04", {
    ja: "APIの同時リクエスト数が上限を超えています。",
    en: "The number of concurrent API requests exceeds the limit.",
  });

/** A request whose barrier was never released: an error of this server, so that no drill takes it for kintone's. */
export const barrierTimedOut = (phase: string): KintoneError =>
  new KintoneError(
    504,
    "LOCAL_BARRIER_TIMED_OUT",
    phase === "after-success"
      ? {
          ja: "バリアが解除されませんでした。変更は保存済みです。",
          en: "A barrier was not released. The write is stored.",
        }
      : {
          ja: "バリアが解除されませんでした。何も変更されていません。",
          en: "A barrier was not released. Nothing was stored.",
        },
  );

/** An answer of the infrastructure (kintone-rest §14, §15). */
export function statusAnswer(
  effect: EffectOf<"status">,
  request: KintoneRequest,
  wording: Wording,
): KintoneResponse {
  const { status, body, retryAfter } = effect;
  const code = effect.code ?? (status === 429 ? "GAIA_TO04" : "CB_IL02");
  const text = same(code === "GAIA_TM12" ? REFUSALS.GAIA_TM12[1].ja : "Service unavailable.");
  const error = code === "GAIA_TO04" ? overLimit() : new KintoneError(status, code, text);
  const locale = negotiateLocale(request.headers["accept-language"], wording.fallback);
  const shaped =
    body === "json"
      ? jsonResponse(status, JSON.stringify(errorBody(error, locale, wording.ids)), code)
      : body === "html"
        ? htmlResponse(status)
        : { status, headers: {}, body: "" };
  return {
    ...shaped,
    headers: {
      ...shaped.headers,
      ...(status === 429 ? NO_CACHE : {}),
      ...(retryAfter === undefined ? {} : { "Retry-After": retryAfter }),
    },
  };
}
