import type { Migration } from "./migration.ts";

/**
 * - `record_ids.rows` counts the rows of an app's tables: a row id is never used twice in an app.
 * - Dates and times get index rows like texts and numbers, so that a range of them is read from the index; those of a
 *   unique field stand in `unique_index` already.
 */
export const fields: Migration = {
  layout: 3,
  name: "fields",
  statements: `
ALTER TABLE record_ids ADD COLUMN rows INTEGER NOT NULL DEFAULT 0;
INSERT OR IGNORE INTO field_index (field, value, record)
SELECT f.no, json_extract(r.body, '$."' || f.code || '".value'), r.key
FROM apps a
JOIN json_each(a.definitions) d
JOIN app_fields f ON f.app = a.id AND f.code = json_extract(d.value, '$.code')
JOIN records r ON r.key > a.id * 4294967296 AND r.key < (a.id + 1) * 4294967296
WHERE json_extract(d.value, '$.type') IN ('DATE', 'TIME', 'DATETIME')
  AND NOT json_extract(d.value, '$.unique')
  AND COALESCE(json_extract(r.body, '$."' || f.code || '".value'), '') <> '';
`,
};
