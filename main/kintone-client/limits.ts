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
/** Characters of a GET beyond which the client turns it into a POST with a method override (kintone-rest §1.1). */
export const GET_URL_MAX = 4096;
/** Live cursors of a domain (kintone-rest §10). */
export const CURSORS_MAX = 10;
/** Requests a domain runs at the same time (kintone-rest §14). */
export const CONCURRENT_REQUESTS_MAX = 100;
/** Requests of an app in a day, Standard course; counted, not enforced (kintone-rest §14). */
export const DAILY_REQUESTS_STANDARD = 10_000;
/** UTF-16 units of a unique text value (kintone-rest §8.3). */
export const UNIQUE_VALUE_MAX_UNITS = 64;
/** UTF-16 units of a multi-line text, as the peers cap it (kintone-rest §8.3). */
export const MULTI_LINE_TEXT_MAX_UNITS = 65_535;
/** First revision of a record; each update adds one (kintone-rest §7). */
export const FIRST_REVISION = 1;
/** Time limit of one request unless the caller sets another, in milliseconds (execution-contract §8). */
export const REQUEST_TIMEOUT_MS = 30_000;
