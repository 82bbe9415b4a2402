/**
 * Every limit of kintone this program relies on, with the section of kintone-rest that states it. Nothing
 * else in `main/` may carry such a number.
 */

/** Sub-requests of one `bulkRequest` (kintone-rest §9). */
export const BULK_REQUESTS_MAX = 20;
/** Records of one POST, PUT or DELETE (kintone-rest §6, §14). */
export const WRITE_RECORDS_MAX = 100;
/** Records of one GET (kintone-rest §13.4). */
export const READ_RECORDS_MAX = 500;
/** API tokens of one request (kintone-rest §4). */
export const TOKENS_MAX = 9;
/** First revision of a record; each update adds one (kintone-rest §7). */
export const FIRST_REVISION = 1;
/** Time limit of one request unless the caller sets another, in milliseconds (execution-contract §8). */
export const REQUEST_TIMEOUT_MS = 30_000;
