import fc from "fast-check";
import { FIELDS } from "./fuzz-rig.ts";

/** Field codes, ids and values: some fit, some are near, some are nonsense. */

const CODES = [...Object.keys(FIELDS), "cell", "note", "$id", "$revision", "作成者", "作成日時", "nope", ""];
export const junk: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    false,
    0,
    -1,
    1,
    2,
    1e308,
    "",
    "1",
    "0",
    "a",
    "k1",
    "x".repeat(70),
    "\u0000",
    [],
    {},
  ),
  fc.string({ maxLength: 12, unit: "binary" }),
  fc.constantFrom(
    "2026-02-30",
    "2026-09-01",
    "2026-09-01T00:00:59Z",
    "24:00",
    "9:5",
    "1e-400",
    "99999999999999999999.5",
  ),
  fc.jsonValue({ maxDepth: 2 }),
);
export const code = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom(...CODES) },
  { weight: 1, arbitrary: fc.string({ maxLength: 6 }) },
);
export const app = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom<unknown>(1, "1") },
  { weight: 2, arbitrary: fc.constantFrom<unknown>(2, "2", 3, 0, -1, "x", null, [1], 4294967297) },
);
export const id = fc.constantFrom<unknown>(1, "1", 2, "3", 5, 6, 7, 0, -1, "a", null, {}, 4294967297);
const row = fc.record({ id, value: fc.dictionary(code, fc.record({ value: junk })) }, { requiredKeys: [] });
export const value = fc.oneof(
  junk,
  fc.array(junk, { maxLength: 3 }),
  fc.array(row, { maxLength: 3 }),
  fc.array(fc.record({ code: junk, fileKey: junk }, { requiredKeys: [] }), { maxLength: 2 }),
);
/** Values that fit, so that enough requests get past the checks to reach the store. */
const fitting = fc
  .record(
    {
      key: fc.string({ minLength: 1, maxLength: 10, unit: "grapheme-ascii" }),
      text: fc.string({ maxLength: 8, unit: "binary" }),
      area: fc.string({ maxLength: 40, unit: "binary" }),
      number: fc.oneof(fc.integer(), fc.double({ noNaN: true, min: -1e9, max: 1e9 })),
      at: fc.constantFrom("2026-09-01T00:00:59Z", "2026-09-01T09:00:00+09:00", ""),
      day: fc.constantFrom("2026-09-01", "2024-02-29", null),
      time: fc.constantFrom("09:05", "23:59", null),
      choice: fc.constantFrom("a", "b", null),
      ticks: fc.subarray(["a", "b"]),
      link: fc.constantFrom("https://example.com", ""),
      table: fc.array(fc.record({ value: fc.record({ cell: fc.record({ value: fc.integer() }) }) }), {
        maxLength: 3,
      }),
    },
    { requiredKeys: [] },
  )
  .map((values) => Object.fromEntries(Object.entries(values).map(([name, each]) => [name, { value: each }])));
export const record = fc.oneof(
  { weight: 8, arbitrary: fitting },
  { weight: 4, arbitrary: fc.dictionary(code, fc.oneof(fc.record({ value }), junk), { maxKeys: 4 }) },
  { weight: 1, arbitrary: junk },
);
