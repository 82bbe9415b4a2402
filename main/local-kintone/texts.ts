import { KintoneError, type Text } from "./errors.ts";

/** Fixed wordings, captured on the real service where kintone-rest marks them so; the rest is chosen here. */
export const TEXT = {
  parameterRequired: { ja: "必須です。", en: "Required field." },
  atLeastOne: { ja: "最小でも1以上です。", en: "must be greater than or equal to 1" },
  integer: { ja: "整数で指定してください。", en: "Enter an integer." },
  required: { ja: "必須です。", en: "Required." },
  unique: {
    ja: "値がほかのレコードと重複しています。",
    en: "This value already exists in another record.",
  },
  notNumber: { ja: "数字でなければなりません。", en: "Only numbers are allowed." },
  tooManyDigits: { ja: "有効桁数を超えています。", en: "The number of significant digits is exceeded." },
  badUrl: { ja: "URLの形式が正しくありません。", en: "The URL is not in the correct format." },
  badMoment: {
    ja: "日付または時刻の形式が正しくありません。",
    en: "The date or time is not in the correct format.",
  },
  badShape: { ja: "値の形式が正しくありません。", en: "The value is not in the correct format." },
  querySyntax: { ja: "クエリ記法が間違っています。", en: "The query syntax is invalid." },
  addLimit: {
    ja: "一度に100件までのレコードを追加できます。",
    en: "A maximum of 100 records can be added at one time.",
  },
  updateLimit: {
    ja: "一度に100件までのレコードを更新できます。",
    en: "A maximum of 100 records can be updated at one time.",
  },
  deleteLimit: {
    ja: "一度に1件から100件までのレコードを削除できます。",
    en: "Between 1 and 100 records can be deleted at one time.",
  },
  bulkLimit: {
    ja: "一度に20件までのリクエストを実行できます。",
    en: "A maximum of 20 requests can be run at one time.",
  },
  keyFieldInRecord: {
    ja: "「updateKey」に指定したフィールドの値は更新できません。",
    en: 'The value of the field specified in "updateKey" cannot be updated.',
  },
  idAndKey: {
    ja: "「id」と「updateKey」は同時に指定できません。",
    en: 'You cannot specify both "id" and "updateKey".',
  },
  reservedCode: { ja: "このフィールドコードは使用できません。", en: "This field code is reserved." },
  badCode: { ja: "フィールドコードの形式が正しくありません。", en: "The field code is not valid." },
  doubleCode: { ja: "フィールドコードが重複しています。", en: "The field code is used twice." },
  nameTooLong: { ja: "129文字より短くなければなりません。", en: "Enter less than 129 characters." },
  typeFixed: { ja: "フィールドの種類は変更できません。", en: "The type of a field cannot be changed." },
  enumValue: { ja: "Enum値のいずれかでなければなりません。", en: "must be one of the enum value" },
} as const satisfies Record<string, Text>;

export const longerThan = (limit: number): Text => ({
  ja: `${limit + 1}文字より短くなければなりません。`,
  en: `Enter less than ${limit + 1} characters.`,
});
export const shorterThan = (limit: number): Text => ({
  ja: `${limit - 1}文字より長くなければなりません。`,
  en: `Enter more than ${limit - 1} characters.`,
});
export const above = (limit: string): Text => ({
  ja: `${limit}以下である必要があります。`,
  en: `The value must be ${limit} or less.`,
});
export const below = (limit: string): Text => ({
  ja: `${limit}以上である必要があります。`,
  en: `The value must be ${limit} or more.`,
});
export const notAnOption = (value: string): Text => ({
  ja: `"${value}"は選択肢にありません。`,
  en: `The value, "${value}", is not in options.`,
});

/** A formula this server does not follow: a limit of ours, not of kintone. */
export const formulaUnsupported = (cause: string): Text => ({
  ja: `この計算式には対応していません（${cause}）。`,
  en: `This formula is not supported: ${cause}.`,
});
export const formulaField = (code: string): Text => ({
  ja: `計算式のフィールド（code: ${code}）が見つかりません。`,
  en: `The field (code: ${code}) of the formula not found.`,
});
export const formulaCycle: Text = {
  ja: "計算式が循環参照になっています。",
  en: "The formula refers to itself.",
};

/** 404 `GAIA_AP01` (kintone-rest §5). */
export const appNotFound = (id: number): KintoneError =>
  new KintoneError(404, "GAIA_AP01", {
    ja: `指定したアプリ（id: ${id}）が見つかりません。削除されている可能性があります。`,
    en: `The app (ID: ${id}) not found. The app may have been deleted.`,
  });

/** 404 `GAIA_RE01` (kintone-rest §5); never carries an index. */
export const recordNotFound = (id: number): KintoneError =>
  new KintoneError(404, "GAIA_RE01", {
    ja: `指定したレコード（id: ${id}）が見つかりません。`,
    en: `The specified record (ID: ${id}) is not found.`,
  });

/** 404 `GAIA_BL01` (kintone-rest §5, §11). */
export const fileNotFound = (key: string): KintoneError =>
  new KintoneError(404, "GAIA_BL01", {
    ja: `指定したファイル（id: ${key}）が見つかりません。`,
    en: `The specified file (id: ${key}) not found.`,
  });

/** 409 `GAIA_CO02` (kintone-rest §7). */
export const staleRevision = (): KintoneError =>
  new KintoneError(409, "GAIA_CO02", {
    ja: "指定したrevisionは最新ではありません。ほかのユーザーがレコードを更新した可能性があります。",
    en: "The revision is not the latest. Someone may update a record.",
  });

/** 404 `GAIA_RE20`; the status is our choice (kintone-rest §18). */
export const noRecordForKey = (): KintoneError =>
  new KintoneError(404, "GAIA_RE20", {
    ja: "「updateKey」に指定した条件にあてはまるレコードがありません。",
    en: 'No records match the conditions specified in the "updateKey" field.',
  });

/** 400 `GAIA_IQ28`: the same key, or the same record, twice in one request (kintone-rest §6). */
export const duplicateKeyInRequest = (): KintoneError =>
  new KintoneError(400, "GAIA_IQ28", {
    ja: "「updateKey」に指定した条件にあてはまるレコードが重複しています。",
    en: 'The records that match the conditions specified in "updateKey" are duplicated.',
  });

/** 400 `GAIA_FC01`: a field code the form does not have (kintone-rest §6). */
export const unknownField = (code: string): KintoneError =>
  new KintoneError(400, "GAIA_FC01", {
    ja: `指定されたフィールド（code: ${code}）が見つかりません。`,
    en: `The specified field (code: ${code}) not found.`,
  });

/** 400 `GAIA_RC01`, a code chosen here: the record id is not a value one can write (kintone-rest §6). */
export const recordIdNotWritable = (): KintoneError =>
  new KintoneError(400, "GAIA_RC01", {
    ja: "レコード番号は更新できません。",
    en: "The record id cannot be updated.",
  });

/** 403 `CB_NO02` (kintone-rest §4). */
export const noPrivilege = (): KintoneError =>
  new KintoneError(403, "CB_NO02", { ja: "権限がありません。", en: "No privilege to proceed." });

/** 403 `GAIA_NO01`: right app, missing right, or an API closed to tokens (kintone-rest §4). */
export const tokenNotAllowed = (): KintoneError =>
  new KintoneError(403, "GAIA_NO01", {
    ja: "このAPIトークンでは、指定したAPIを実行できません。",
    en: "Using this API token, you cannot run the specified API.",
  });

/** 400 `GAIA_IL26` and, for organisations, `GAIA_IL28` (kintone-rest §8.4); the code for groups is chosen here. */
export function unknownPerson(kind: "USER" | "ORGANIZATION" | "GROUP", code: string): KintoneError {
  const words = {
    USER: { code: "GAIA_IL26", ja: "ユーザー", en: "user" },
    ORGANIZATION: { code: "GAIA_IL28", ja: "組織", en: "organization" },
    GROUP: { code: "GAIA_IL29", ja: "グループ", en: "group" },
  }[kind];
  return new KintoneError(400, words.code, {
    ja: `指定した${words.ja}（code：${code}）が見つかりません。`,
    en: `The specified ${words.en} (code：${code}) not found.`,
  });
}

/** 400 `GAIA_LO04`: a lookup whose source has no such value, or may not be read. */
export const lookupFailed = (value: string, field: string): KintoneError =>
  new KintoneError(400, "GAIA_LO04", {
    ja: `フィールド「${field}」の値「${value}」が、ルックアップの参照先のアプリにないか、またはアプリやフィールドの閲覧権限がありません。`,
    en: `A value ${value} in the field ${field} does not exist in the datasource app for lookup, or you do not have permission to view the app or the field.`,
  });
