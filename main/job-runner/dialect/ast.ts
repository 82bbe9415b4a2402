/** The parsed form of a script. Every `at` is an offset into the source text, UTF-16 units. */

export type CompareOperator = "=" | "!=" | "<" | "<=" | ">" | ">=";
export type ArithmeticOperator = "+" | "-" | "*" | "/";
export type AggregateName = "COUNT" | "SUM" | "AVG" | "MIN" | "MAX";
export type AsOfName = "NOW" | "TODAY" | "MONTH_START" | "NEXT_MONTH_START";

export type Expression =
  | { readonly kind: "literal"; readonly type: "text" | "number"; readonly text: string; readonly at: number }
  /** `table`: the alias before the dot, null when the name stands alone. */
  | { readonly kind: "column"; readonly name: string; readonly table: string | null; readonly at: number }
  | { readonly kind: "asOf"; readonly name: AsOfName; readonly at: number }
  | { readonly kind: "variable"; readonly name: string; readonly at: number }
  /** A function kintone evaluates itself; `query` is its text in kintone's query language (job-dialect §4). */
  | { readonly kind: "serverTime"; readonly query: string; readonly at: number }
  | { readonly kind: "concat"; readonly parts: readonly Expression[]; readonly at: number }
  | {
      readonly kind: "arithmetic";
      readonly operator: ArithmeticOperator;
      readonly left: Expression;
      readonly right: Expression;
      readonly at: number;
    }
  /** `argument` null is COUNT(*). */
  | {
      readonly kind: "aggregate";
      readonly name: AggregateName;
      readonly argument: Expression | null;
      readonly at: number;
    };

export type Condition =
  | { readonly kind: "and"; readonly left: Condition; readonly right: Condition }
  | { readonly kind: "or"; readonly left: Condition; readonly right: Condition }
  | { readonly kind: "not"; readonly operand: Condition }
  | Predicate;

export type Predicate =
  | {
      readonly kind: "compare";
      readonly operator: CompareOperator;
      readonly left: Expression;
      readonly right: Expression;
    }
  | {
      readonly kind: "in";
      readonly negated: boolean;
      readonly operand: Expression;
      readonly items: readonly Expression[];
    }
  | {
      readonly kind: "like";
      readonly negated: boolean;
      readonly operand: Expression;
      readonly pattern: Expression;
    }
  | {
      readonly kind: "between";
      readonly negated: boolean;
      readonly operand: Expression;
      readonly low: Expression;
      readonly high: Expression;
    }
  | { readonly kind: "empty"; readonly negated: boolean; readonly operand: Expression };

export type SelectItem =
  | { readonly kind: "star"; readonly at: number }
  | {
      readonly kind: "value";
      readonly value: Expression;
      /** The alias, else the field code, else the expression's source text (job-dialect §2.2). */
      readonly name: string;
      readonly aliased: boolean;
      readonly at: number;
    };

export type Source =
  | { readonly kind: "logicalApp"; readonly name: string; readonly at: number }
  | { readonly kind: "app"; readonly appId: number; readonly at: number }
  | { readonly kind: "temp"; readonly name: string; readonly at: number };

/** A source that is an app of kintone. */
export type AppSource = Extract<Source, { kind: "logicalApp" | "app" }>;

export interface NameRef {
  readonly name: string;
  /** The alias before the dot, null when the name stands alone. */
  readonly table: string | null;
  readonly at: number;
}

/** A further source, tied by equal values of columns; `left` keeps rows of the left side without a partner. */
export interface Join {
  readonly source: Source;
  readonly alias: string | null;
  readonly left: boolean;
  readonly on: Condition;
  readonly at: number;
}

export interface OrderKey extends NameRef {
  readonly descending: boolean;
}

export interface Branch {
  readonly items: readonly SelectItem[];
  readonly source: Source | null;
  /** Name the source is called by in this branch; null when it has none of its own. */
  readonly alias: string | null;
  readonly joins: readonly Join[];
  readonly where: Condition | null;
  readonly groupBy: readonly NameRef[];
  readonly orderBy: readonly OrderKey[];
  readonly at: number;
}

/** One SELECT or a UNION ALL; `orderBy` after the last branch of a union orders the whole. */
export interface Query {
  readonly branches: readonly Branch[];
  readonly orderBy: readonly OrderKey[];
}

export type Operand =
  | { readonly kind: "query"; readonly query: Query; readonly at: number }
  | { readonly kind: "expression"; readonly expression: Expression; readonly at: number };

export type Check =
  | {
      readonly kind: "compare";
      readonly operator: CompareOperator;
      readonly left: Operand;
      readonly right: Operand;
      readonly text: string;
    }
  | {
      readonly kind: "between";
      readonly operand: Operand;
      readonly low: Operand;
      readonly high: Operand;
      readonly text: string;
    };

/** A field of a write's column list. */
export interface FieldRef {
  readonly name: string;
  readonly at: number;
}

/** Rows of values for the fields of a write, or a query that makes them. */
export type Payload =
  | { readonly kind: "values"; readonly rows: readonly (readonly Expression[])[] }
  | { readonly kind: "query"; readonly query: Query };

export interface Assignment {
  readonly field: FieldRef;
  readonly value: Expression;
}

/** ON ERROR SKIP INTO: where rows that cannot be imported go, and how many of them are too many. */
export interface Rejects {
  readonly table: string;
  readonly limit: number | null;
  readonly at: number;
}

export type ImportEncoding = "UTF8" | "SJIS";

export type WriteBody =
  | {
      readonly kind: "insert" | "upsert";
      readonly target: AppSource;
      readonly fields: readonly FieldRef[];
      readonly payload: Payload;
      /** Fields of KEY or ON DUPLICATE; empty for INSERT. */
      readonly key: readonly FieldRef[];
      readonly at: number;
    }
  | {
      readonly kind: "update";
      readonly target: AppSource;
      readonly assignments: readonly Assignment[];
      readonly where: Condition;
      readonly at: number;
    }
  | {
      readonly kind: "delete";
      readonly target: AppSource;
      readonly where: Condition;
      readonly at: number;
    }
  | {
      readonly kind: "import";
      readonly target: AppSource;
      readonly fields: readonly FieldRef[];
      /** Name of the source, compared exactly with the supplied ones; never a path. */
      readonly sourceName: string;
      readonly encoding: ImportEncoding | null;
      readonly key: readonly FieldRef[];
      readonly rejects: Rejects | null;
      readonly at: number;
    };

export type StatementBody =
  | WriteBody
  | { readonly kind: "dropTemp"; readonly name: string; readonly at: number }
  | { readonly kind: "select"; readonly query: Query }
  | { readonly kind: "createTemp"; readonly name: string; readonly query: Query; readonly at: number }
  | {
      readonly kind: "assert";
      readonly warn: boolean;
      readonly check: Check;
      readonly message: string | null;
    }
  | { readonly kind: "exit"; readonly check: Check; readonly message: string }
  | {
      readonly kind: "set";
      readonly declare: boolean;
      readonly name: string;
      readonly value: Operand;
      readonly at: number;
    };

export interface Statement {
  readonly index: number;
  readonly body: StatementBody;
  readonly start: number;
  readonly text: string;
}
