/** SQLite result codes this experiment tells apart (extended codes; the primary one is the lowest byte). */
export const SQLITE_BUSY = 5;
export const SQLITE_FULL = 13;
export const SQLITE_CONSTRAINT_PRIMARYKEY = 1_555;
export const SQLITE_CONSTRAINT_UNIQUE = 2_067;

/** The extended result code of an error of `node:sqlite`; null for any other error. */
export function errorCode(error: unknown): number | null {
  return error instanceof Error && "errcode" in error && typeof error.errcode === "number"
    ? error.errcode
    : null;
}

/** True for SQLITE_BUSY and its extended forms. */
export function isBusy(error: unknown): boolean {
  const code = errorCode(error);
  return code !== null && code % 256 === SQLITE_BUSY;
}
