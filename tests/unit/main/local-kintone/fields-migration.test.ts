import { DatabaseSync } from "node:sqlite";
import { expect, it } from "vitest";
import { fields } from "../../../../main/local-kintone/storage/migrations/003-fields.ts";
import { MIGRATIONS } from "../../../../main/local-kintone/storage/migrations/index.ts";
import { recordKey } from "../../../../main/local-kintone/storage/render.ts";

it("indexes the dates and times that an older file holds, of each app its own (kintone-rest §13.2)", () => {
  const handle = new DatabaseSync(":memory:");
  for (const step of MIGRATIONS.slice(0, fields.layout - 1)) handle.exec(step.statements);
  const definition = (code: string, type: string, unique = false): object => ({ code, type, unique });
  const definitions = JSON.stringify([
    definition("day", "DATE"),
    definition("at", "TIME"),
    definition("moment", "DATETIME"),
    definition("once", "DATE", true),
    definition("text", "SINGLE_LINE_TEXT"),
  ]);
  handle
    .prepare(
      "INSERT INTO apps (id, name, code, revision, created_at, modified_at, definitions) VALUES (?, 'a', '', 2, '', '', ?)",
    )
    .run(7, definitions);
  const field = handle.prepare("INSERT INTO app_fields (no, app, code) VALUES (?, 7, ?)");
  for (const [index, code] of ["day", "at", "moment", "once", "text"].entries()) field.run(index + 1, code);
  handle.exec("INSERT INTO record_ids (app, last) VALUES (7, 2)");
  const record = handle.prepare(
    "INSERT INTO records (key, revision, form, created_at, updated_at, creator, modifier, body) VALUES (?, 1, 2, '', '', '', '', ?)",
  );
  const body = (values: object): string =>
    JSON.stringify(Object.fromEntries(Object.entries(values).map(([code, value]) => [code, { value }])));
  const full = {
    day: "2026-09-01",
    at: "08:00",
    moment: "2026-09-01T00:00:00Z",
    once: "2026-01-01",
    text: "t",
  };
  record.run(recordKey(7, 1), body(full));
  record.run(recordKey(7, 2), body({ day: null, at: null, moment: "" }));
  record.run(recordKey(8, 1), body(full));

  handle.exec(fields.statements);

  const rows = handle.prepare("SELECT field, value, record FROM field_index ORDER BY field").all();
  expect(rows.map(({ field, value, record }) => [field, value, record])).toEqual([
    [1, "2026-09-01", recordKey(7, 1)],
    [2, "08:00", recordKey(7, 1)],
    [3, "2026-09-01T00:00:00Z", recordKey(7, 1)],
  ]);
  expect(handle.prepare("SELECT last, rows FROM record_ids").get()).toEqual(
    Object.assign(Object.create(null), { last: 2, rows: 0 }),
  );
  handle.close();
});
