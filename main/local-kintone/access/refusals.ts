import { KintoneError } from "../errors.ts";

/** 403 `GAIA_FU01`: a field the caller may not edit (kintone-rest §4); the status is our choice of the two. */
export const fieldNotEditable = (code: string): KintoneError =>
  new KintoneError(403, "GAIA_FU01", {
    ja: `フィールド「${code}」の編集権限がありません。`,
    en: `You do not have permission to edit the field "${code}".`,
  });
