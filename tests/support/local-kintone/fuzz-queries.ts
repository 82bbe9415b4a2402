import fc from "fast-check";
import { code } from "./fuzz-values.ts";

const literal = fc.oneof(
  fc.constantFrom(
    '"k1"',
    '"a"',
    "7",
    "-1.5",
    '""',
    '"\\""',
    "TODAY()",
    "NOW()",
    "LOGINUSER()",
    "FROM_TODAY(5, DAYS)",
    '"FOREIGN"',
    '"2026-09-01"',
    "(",
    '"',
  ),
  fc.string({ maxLength: 8 }).map((text) => JSON.stringify(text)),
);
const operator = fc.constantFrom(
  "=",
  "!=",
  ">",
  "<",
  ">=",
  "<=",
  "in",
  "not in",
  "like",
  "not like",
  "is empty",
  "is not empty",
  "is",
  "~",
);
const comparison = fc
  .tuple(code, operator, fc.array(literal, { minLength: 1, maxLength: 3 }))
  .map(([field, op, literals]) =>
    op.startsWith("is")
      ? `${field} ${op}`
      : op.endsWith("in")
        ? `${field} ${op} (${literals.join(", ")})`
        : `${field} ${op} ${literals[0]}`,
  );
const tail = fc.constantFrom(
  "",
  "order by $id asc",
  "order by number desc, $id asc limit 3",
  "limit 500",
  "limit 501",
  "offset 10001",
  "limit 2 offset 1",
  "order by file asc",
  "order by nope",
  "limit -1",
);
const sensible = fc
  .tuple(
    fc.array(
      fc.constantFrom(
        'key = "k1"',
        'key in ("k1", "k2")',
        "number > 3",
        "number not in (7, 8)",
        'choice in ("a", "")',
        'area like "ours"',
        'ticks not in ("a")',
        "at <= NOW()",
        "day = TODAY()",
        'link != ""',
        "cell in (1)",
        'note like "ours"',
        "$id > 2",
        "file is not empty",
        "作成者 in (LOGINUSER())",
      ),
      { minLength: 1, maxLength: 5 },
    ),
    fc.constantFrom(" and ", " or "),
    fc.constantFrom("", " order by $id asc limit 3", " order by number desc, key asc", " limit 2 offset 1"),
  )
  .map(([parts, glue, end]) => parts.join(glue) + end);
export const query = fc.oneof(
  { weight: 8, arbitrary: sensible },
  {
    weight: 8,
    arbitrary: fc
      .tuple(fc.array(comparison, { maxLength: 4 }), fc.constantFrom(" and ", " or ", " "), tail)
      .map(([parts, glue, end]) => `${parts.join(glue)} ${end}`.trim()),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(comparison, comparison, comparison).map(([a, b, c]) => `(${a} or (${b})) and ${c}`),
  },
  { weight: 1, arbitrary: fc.string({ maxLength: 30, unit: "binary" }) },
);
