import { invalid, KintoneError } from "../errors.ts";
import { TEXT } from "../texts.ts";

/** 400 `CB_VA01` on `query` (kintone-rest §13.4). */
export const syntaxError = (): KintoneError => invalid("query", TEXT.querySyntax);

/** 400 `GAIA_IQ11`. */
export const unknownQueryField = (field: string): KintoneError =>
  new KintoneError(400, "GAIA_IQ11", {
    ja: `指定されたフィールド（${field}）が見つかりません。`,
    en: `The specified field (${field}) not found.`,
  });

/** 400 `GAIA_IQ03`. */
export const operatorNotAllowed = (field: string, operator: string): KintoneError =>
  new KintoneError(400, "GAIA_IQ03", {
    ja: `${field}フィールドのフィールドタイプには演算子${operator}を使用できません。`,
    en: `The operator ${operator} cannot be used with the field type of ${field}.`,
  });

/** 400 `GAIA_IQ07`: equality of a field inside a table. */
export const operatorInTable = (field: string, operator: string): KintoneError =>
  new KintoneError(400, "GAIA_IQ07", {
    ja: `テーブルに設定している場合、${field}フィールドのフィールドタイプには、演算子${operator}を使用できません。`,
    en: `The operator ${operator} cannot be used with the field type of ${field} in a table.`,
  });

/** 400 `GAIA_IQ10`, checked before `GAIA_IQ03`. */
export const optionNotFound = (field: string, value: string): KintoneError =>
  new KintoneError(400, "GAIA_IQ10", {
    ja: `フィールド「${field}」の項目に「${value}」は存在しません。`,
    en: `"${value}" does not exist in the options of the field "${field}".`,
  });

/** 400 `GAIA_IR02`: a dotted name on a field that is no reference table. */
export const notReference = (field: string): KintoneError =>
  new KintoneError(400, "GAIA_IR02", {
    ja: `フィールド（${field}）は関連レコード一覧ではありません。`,
    en: `The field (${field}) is not a related records field.`,
  });

/** 400 `GAIA_QU01`. */
export const limitTooLarge = (): KintoneError =>
  new KintoneError(400, "GAIA_QU01", {
    ja: "limit には 500 以下の値を指定してください。",
    en: "limit must be 500 or less.",
  });

/** 400 `GAIA_QU02`. */
export const offsetTooLarge = (): KintoneError =>
  new KintoneError(400, "GAIA_QU02", {
    ja: "offset には 10,000 以下の値を指定してください。",
    en: "offset must be 10,000 or less.",
  });

/** 400 with one of the function codes `GAIA_IQ25`, `GAIA_IL08`, `GAIA_IQ23` (kintone-rest §13.3). */
export const badArgument = (code: "GAIA_IQ25" | "GAIA_IL08" | "GAIA_IQ23", name: string): KintoneError =>
  new KintoneError(400, code, {
    ja: `関数${name}の引数が正しくありません。`,
    en: `The argument of the function ${name} is invalid.`,
  });

/** 400 `GAIA_IL42`: a user, organisation or group the service does not have. */
export const unknownUser = (code: string): KintoneError =>
  new KintoneError(400, "GAIA_IL42", {
    ja: "レコードの絞り込み条件に指定したユーザー、グループ、または組織が存在しません。削除された可能性があります。",
    en: `The user, group, or organization (code: ${code}) specified in the condition does not exist. It may have been deleted.`,
  });
