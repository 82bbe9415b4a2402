import fc from "fast-check";

/**
 * Random SELECTs over one table of every column type, each with the rows it must give. The rules are written down a
 * second time here, straight from job-dialect §3 and over arrays, so that the evaluator has something to differ from.
 */

export type Row = Readonly<Record<string, string>>;

export interface RandomSelect {
  /** Without its FROM source's rows: they are stored as `#t`. */
  readonly sql: string;
  readonly expected: (rows: readonly Row[]) => readonly (readonly string[])[];
}

const CHOICES = ["新規", "対応中", "完了"];

/** Column name -> type, as the evaluator takes it. */
export const COLUMNS = [
  { name: "n", type: { kind: "number" } },
  { name: "t", type: { kind: "text" } },
  { name: "d", type: { kind: "date" } },
  { name: "c", type: { kind: "choice", options: CHOICES } },
  { name: "m", type: { kind: "multi" } },
] as const;

type Kind = "number" | "text" | "date" | "choice" | "multi";
const kindOf = (name: string): Kind => COLUMNS.find((column) => column.name === name)?.type.kind ?? "text";

const CELLS: Readonly<Record<Kind, readonly string[]>> = {
  number: [
    "",
    "0",
    "-0",
    "1",
    "1.0",
    "1.10",
    "-3",
    "10",
    "0.1",
    "0.2",
    "99999999999.9999",
    "-123456789012345678.5",
  ],
  text: ["", "a", "A", "ab", "b%", "b_", "20", "100", "日本", "\u{20bb7}", "\uff5e", "x'y"],
  date: ["", "2026-01-31", "2026-02-01", "2025-12-31", "1999-01-01"],
  choice: ["", ...CHOICES, "昔の値"],
  multi: ["", "[]", '["急"]', '["大","急"]', '["小"]'],
};
const LITERALS: Readonly<Record<Kind, readonly string[]>> = {
  number: ["0", "1", "1.00", "-3", "0.1", "99999999999.9999", "5"],
  text: ["", "a", "A", "ab", "20", "日本", "\u{20bb7}", "\uff5e", "x'y"],
  date: ["", "2026-02-01", "2026/2/1", "1999-01-01"],
  choice: ["", ...CHOICES, "昔の値", "知らない値"],
  multi: ["", "急", "大", "無い"],
};

/** A table of a few rows; every cell of the number column may be plain or not. */
export const rowsArbitrary: fc.Arbitrary<readonly Row[]> = fc
  .tuple(fc.boolean(), fc.integer({ min: 0, max: 12 }))
  .chain(([plain, length]) =>
    fc.array(
      fc.record({
        n: fc.constantFrom(...(plain ? CELLS.number.slice(0, 11) : CELLS.number)),
        t: fc.constantFrom(...CELLS.text),
        d: fc.constantFrom(...CELLS.date),
        c: fc.constantFrom(...CELLS.choice),
        m: fc.constantFrom(...CELLS.multi),
      }),
      { minLength: length, maxLength: length },
    ),
  );

/** Exact, as an integer of 10^-20. */
function scaled(text: string): bigint {
  const negative = text.startsWith("-");
  const [whole = "0", fraction = ""] = text.replace(/^-/, "").split(".");
  const digits = BigInt(whole + fraction.padEnd(20, "0"));
  return negative ? -digits : digits;
}

function codePoints(left: string, right: string): number {
  const a = [...left].map((letter) => letter.codePointAt(0) ?? 0);
  const b = [...right].map((letter) => letter.codePointAt(0) ?? 0);
  for (const [place, point] of a.entries()) {
    const other = b[place];
    if (other === undefined) return 1;
    if (point !== other) return point - other;
  }
  return a.length - b.length;
}

const day = (text: string): string =>
  text
    .split(/[-/]/)
    .map((part) => part.padStart(2, "0"))
    .join("-");
const place = (text: string): number => {
  const at = CHOICES.indexOf(text);
  return at === -1 ? CHOICES.length : at;
};
const chosen = (text: string): readonly string[] => (text === "" ? [] : JSON.parse(text));

function order(kind: Kind, left: string, right: string): number {
  if (kind === "number") {
    if (left === "" || right === "") return Number(left !== "") - Number(right !== "");
    const difference = scaled(left) - scaled(right);
    return difference === 0n ? 0 : difference < 0n ? -1 : 1;
  }
  if (kind === "choice") return place(left) - place(right) || codePoints(left, right);
  return kind === "date" ? codePoints(day(left), day(right)) : codePoints(left, right);
}

type Test = (row: Row) => boolean;
interface Condition {
  readonly sql: string;
  readonly holds: Test;
}

const quote = (text: string): string => `'${text.replaceAll("'", "''")}'`;
const written = (kind: Kind, text: string): string => (kind === "number" ? text : quote(text));

const SIGNS: Readonly<Record<string, (difference: number) => boolean>> = {
  "=": (difference) => difference === 0,
  "!=": (difference) => difference !== 0,
  "<>": (difference) => difference !== 0,
  "<": (difference) => difference < 0,
  "<=": (difference) => difference <= 0,
  ">": (difference) => difference > 0,
  ">=": (difference) => difference >= 0,
};

const ordered = fc.constantFrom("n", "t", "d", "c");

const comparison: fc.Arbitrary<Condition> = ordered.chain((name) => {
  const kind = kindOf(name);
  return fc
    .tuple(fc.constantFrom(...Object.keys(SIGNS)), fc.constantFrom(...LITERALS[kind]))
    .map(([sign, literal]) => ({
      sql: `${name} ${sign} ${written(kind, literal)}`,
      holds: (row: Row) => SIGNS[sign]?.(order(kind, row[name] ?? "", literal)) === true,
    }));
});

const membership: fc.Arbitrary<Condition> = fc.constantFrom("n", "t", "c", "m", "d").chain((name) => {
  const kind = kindOf(name);
  const items = fc.array(fc.constantFrom(...LITERALS[kind]), { minLength: 1, maxLength: 4 });
  return fc.tuple(items, fc.boolean()).map(([list, negated]) => ({
    sql: `${name} ${negated ? "NOT " : ""}IN (${list.map((item) => written(kind, item)).join(", ")})`,
    holds: (row: Row) => {
      const cell = row[name] ?? "";
      const held =
        kind === "multi"
          ? chosen(cell).length === 0
            ? list.includes("")
            : chosen(cell).some((choice) => list.includes(choice))
          : list.some((item) => order(kind, cell, item) === 0);
      return held !== negated;
    },
  }));
});

/** `%` any text, `_` one character; neither of them: contains. */
function like(text: string, pattern: string): boolean {
  if (!/[%_]/.test(pattern)) return text.includes(pattern);
  const match = (letters: readonly string[], signs: readonly string[]): boolean => {
    const [sign, ...rest] = signs;
    if (sign === undefined) return letters.length === 0;
    if (sign === "%") return letters.some((_, at) => match(letters.slice(at), rest)) || match([], rest);
    const [letter, ...others] = letters;
    return letter !== undefined && (sign === "_" || sign === letter) && match(others, rest);
  };
  return match([...text], [...pattern]);
}

const likeness: fc.Arbitrary<Condition> = fc
  .tuple(
    fc.array(fc.constantFrom("a", "A", "b", "%", "_", "*", "?", "[", "日", "\u{20bb7}"), { maxLength: 3 }),
    fc.boolean(),
  )
  .map(([parts, negated]) => ({
    sql: `t ${negated ? "NOT " : ""}LIKE ${quote(parts.join(""))}`,
    holds: (row: Row) => like(row.t ?? "", parts.join("")) !== negated,
  }));

const between: fc.Arbitrary<Condition> = ordered.chain((name) => {
  const kind = kindOf(name);
  const literal = fc.constantFrom(...LITERALS[kind]);
  return fc.tuple(literal, literal, fc.boolean()).map(([low, high, negated]) => ({
    sql: `${name} ${negated ? "NOT " : ""}BETWEEN ${written(kind, low)} AND ${written(kind, high)}`,
    holds: (row: Row) => {
      const cell = row[name] ?? "";
      return (order(kind, cell, low) >= 0 && order(kind, cell, high) <= 0) !== negated;
    },
  }));
});

const emptiness: fc.Arbitrary<Condition> = fc
  .tuple(fc.constantFrom("n", "t", "d", "c", "m"), fc.boolean())
  .map(([name, negated]) => ({
    sql: `${name} IS ${negated ? "NOT " : ""}NULL`,
    holds: (row: Row) => ["", ...(name === "m" ? ["[]"] : [])].includes(row[name] ?? "") !== negated,
  }));

const condition = fc.letrec<{ node: Condition }>((tie) => ({
  node: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    comparison,
    membership,
    likeness,
    between,
    emptiness,
    fc.tuple(tie("node"), tie("node"), fc.boolean()).map(([left, right, both]) => ({
      sql: `(${left.sql} ${both ? "AND" : "OR"} ${right.sql})`,
      holds: (row: Row) => (both ? left.holds(row) && right.holds(row) : left.holds(row) || right.holds(row)),
    })),
    tie("node").map((inner) => ({
      sql: `NOT (${inner.sql})`,
      holds: (row: Row) => !inner.holds(row),
    })),
  ),
})).node;

const isFilled = (name: string, cell: string): boolean => cell !== "" && !(name === "m" && cell === "[]");

function exactText(value: bigint): string {
  const digits = (value < 0n ? -value : value).toString().padStart(21, "0");
  const fraction = digits.slice(-20).replace(/0+$/, "");
  return `${value < 0n ? "-" : ""}${digits.slice(0, -20)}${fraction === "" ? "" : `.${fraction}`}`;
}

/** An aggregate over the rows of a group; over no cell 0 (§3). */
function aggregated(name: string, column: string, rows: readonly Row[]): string {
  if (column === "*") return String(rows.length);
  const cells = rows.map((row) => row[column] ?? "").filter((cell) => isFilled(column, cell));
  if (name === "COUNT") return String(cells.length);
  const [first, ...rest] = cells;
  if (first === undefined) return "0";
  if (name === "SUM") return exactText(cells.reduce((total, cell) => total + scaled(cell), 0n));
  const sign = name === "MIN" ? -1 : 1;
  return rest.reduce((best, cell) => (order(kindOf(column), cell, best) * sign > 0 ? cell : best), first);
}

const aggregate = fc.constantFrom(
  ["COUNT", "*"],
  ["COUNT", "n"],
  ["COUNT", "m"],
  ["SUM", "n"],
  ["MIN", "d"],
  ["MAX", "d"],
  ["MIN", "t"],
  ["MAX", "c"],
) as fc.Arbitrary<readonly [string, string]>;

const where = fc.option(condition, { nil: null });
const whereText = (filter: Condition | null): string => (filter === null ? "" : ` WHERE ${filter.sql}`);
const kept = (rows: readonly Row[], filter: Condition | null): readonly Row[] =>
  rows.filter((row) => filter === null || filter.holds(row));

/** ORDER BY: numbers numerically, everything else by code point, equal ones in the order they came in. */
function sorted(rows: readonly Row[], name: string, descending: boolean): readonly Row[] {
  const kind = kindOf(name) === "number" ? "number" : "text";
  const sign = descending ? -1 : 1;
  return [...rows].sort((a, b) => order(kind, a[name] ?? "", b[name] ?? "") * sign);
}

const plainSelect: fc.Arbitrary<RandomSelect> = fc
  .tuple(where, fc.constantFrom("n", "t", "d", "c", "m"), fc.boolean())
  .map(([filter, name, descending]) => ({
    sql: `SELECT n, t, d, c, m FROM #t${whereText(filter)} ORDER BY ${name}${descending ? " DESC" : ""}`,
    expected: (rows) =>
      sorted(kept(rows, filter), name, descending).map((row) =>
        COLUMNS.map((column) => row[column.name] ?? ""),
      ),
  }));

const groupedSelect: fc.Arbitrary<RandomSelect> = fc
  .tuple(where, aggregate, fc.option(fc.constantFrom("n", "t", "d", "c", "m"), { nil: null }))
  .map(([filter, [name, column], key]) => ({
    sql:
      key === null
        ? `SELECT ${name}(${column}) AS v FROM #t${whereText(filter)}`
        : `SELECT ${key}, ${name}(${column}) AS v FROM #t${whereText(filter)} GROUP BY ${key}`,
    expected: (rows) => {
      const found = kept(rows, filter);
      if (key === null) return [[aggregated(name, column, found)]];
      // Groups by the raw text, in the order their first rows came in.
      const groups = Map.groupBy(found, (row) => row[key] ?? "");
      return [...groups].map(([cell, group]) => [cell, aggregated(name, column, group)]);
    },
  }));

export const randomSelect: fc.Arbitrary<RandomSelect> = fc.oneof(plainSelect, groupedSelect);
