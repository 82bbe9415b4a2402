import { DatabaseSync, type StatementSync } from "node:sqlite";
import { type Column, type ColumnType, TEXT } from "../values/column-type.ts";
import type { Comparison } from "../values/compare.ts";
import { type EmittedSelect, joinKey, type TypeNumber } from "./emitted.ts";
import { defineFunctions } from "./functions.ts";
import { countOddCells } from "./native.ts";

/** A table of a run: rows of texts under named columns, in the order of their `pos`. */
export interface Table {
  /** Its name in the workspace, `t0`, `t1`, … */
  readonly id: string;
  readonly columns: readonly Column[];
}

/**
 * The relational half of a run: its source rows and temp tables in a private SQLite database that spills to a
 * nameless file when it grows, so that memory stays bounded (job-dialect §9).
 */
export interface Workspace {
  createTable(columns: readonly Column[]): Table;
  /** Adds rows, all of them or, on an error, none. */
  insert(table: Table, rows: readonly (readonly string[])[]): void;
  /** Adds what a select of ours makes, in its order. */
  fill(table: Table, select: EmittedSelect): void;
  /** Makes lookups of `key`, an expression over `c0`, `c1`, …, quick. */
  index(table: Table, key: string): void;
  count(table: Table): number;
  /** Rows in order, one after the other; `limit` null for all. */
  rows(table: Table, limit?: number | null): Iterable<readonly string[]>;
  /** True when SQLite can compare the column's cells itself; see native.ts. */
  isPlain(table: Table, index: number): boolean;
  /** True when no cell of the column is empty and none equals another by its type. */
  isKey(table: Table, index: number): boolean;
  readonly typeNumber: TypeNumber;
  drop(table: Table): void;
  dispose(): void;
}

/** KiB of pages SQLite keeps in memory before it writes to its file. */
const CACHE_KIB = 16_384;
/** Sum of magnitudes up to which sums of plain numbers, scaled by 10,000, stay within 64 bits. */
const SAFE_MAGNITUDE = 9e14;

/** An empty workspace; `dispose` ends its database and file. */
export function createWorkspace(comparison: Comparison): Workspace {
  // The empty name is SQLite's private on-disk database.
  const database = new DatabaseSync("");
  database.exec(`pragma journal_mode = off; pragma synchronous = off; pragma cache_size = -${CACHE_KIB}`);
  const types: ColumnType[] = [];
  const numbers = new Map<string, number>();
  const typeNumber: TypeNumber = (type) => {
    const key = JSON.stringify(type);
    const known = numbers.get(key) ?? types.push(type) - 1;
    numbers.set(key, known);
    return known;
  };
  const functions = defineFunctions(database, (index) => types[index] ?? TEXT, comparison);
  const inserts = new Map<string, StatementSync>();
  const plain = new Map<string, boolean>();
  const indexed = new Set<string>();
  let made = 0;

  function insertOf(table: Table): StatementSync {
    const known = inserts.get(table.id);
    if (known !== undefined) return known;
    const marks = table.columns.map(() => ", ?").join("");
    const statement = database.prepare(`insert into ${table.id} values (null${marks})`);
    inserts.set(table.id, statement);
    return statement;
  }

  function forget(table: Table): void {
    for (const index of table.columns.keys()) plain.delete(`${table.id}.${index}`);
  }

  return {
    typeNumber,
    createTable(columns) {
      const id = `t${made++}`;
      const cells = columns.map((_, index) => `, c${index} text not null`);
      database.exec(`create table ${id}(pos integer primary key${cells.join("")})`);
      return { id, columns };
    },
    insert(table, rows) {
      const statement = insertOf(table);
      forget(table);
      database.exec("begin");
      for (const row of rows) statement.run(...row);
      database.exec("commit");
    },
    fill(table, { sql, parameters }) {
      forget(table);
      const cells = table.columns.map((_, index) => `c${index}`).join(", ");
      database.prepare(`insert into ${table.id}(${cells}) ${sql}`).run(...parameters);
      functions.forgetLists();
    },
    index(table, key) {
      if (indexed.has(`${table.id} ${key}`)) return;
      indexed.add(`${table.id} ${key}`);
      database.exec(`create index i${made++} on ${table.id}(${key})`);
    },
    count(table) {
      return Number(database.prepare(`select count(*) as n from ${table.id}`).get()?.n ?? 0);
    },
    *rows(table, limit = null) {
      const cells = table.columns.map((_, index) => `c${index}`).join(", ");
      const bound = limit === null ? "" : ` limit ${limit}`;
      const statement = database.prepare(`select ${cells} from ${table.id} order by pos${bound}`);
      statement.setReturnArrays(true);
      for (const row of statement.iterate()) yield Object.values(row).map(String);
    },
    isPlain(table, index) {
      const key = `${table.id}.${index}`;
      const known = plain.get(key) ?? measurePlain(database, table, index);
      plain.set(key, known);
      return known;
    },
    isKey(table, index) {
      const type = table.columns[index]?.type ?? TEXT;
      const key = joinKey(`c${index}`, type, typeNumber);
      const sql = `select count(*) as n, count(distinct case when c${index} <> '' then ${key} end) as d from ${table.id}`;
      const row = database.prepare(sql).get();
      return row?.n === row?.d;
    },
    drop(table) {
      inserts.delete(table.id);
      forget(table);
      database.exec(`drop table ${table.id}`);
    },
    dispose: () => database.close(),
  };
}

function measurePlain(database: DatabaseSync, table: Table, index: number): boolean {
  const type = table.columns[index]?.type ?? TEXT;
  const odd = countOddCells(`c${index}`, type);
  if (odd === null) return false;
  const magnitude = type.kind === "number" ? `coalesce(sum(abs(cast(c${index} as real))), 0)` : "0";
  const row = database.prepare(`select ${odd} as odd, ${magnitude} as magnitude from ${table.id}`).get();
  return row?.odd === 0 && Number(row.magnitude) < SAFE_MAGNITUDE;
}
