/** The parsed form of a script. Every `at` is an offset into the source text, UTF-16 units. */

export type CompareOperator = "=" | "!=" | "<" | "<=" | ">" | ">=";
export type ArithmeticOperator = "+" | "-" | "*" | "/";
export type AggregateName = "COUNT" | "SUM" | "AVG" | "MIN" | "MAX";
export type AsOfName = "NOW" | "TODAY" | "MONTH_START" | "NEXT_MONTH_START";

export type Expression =
  | { readonly kind: "literal"; readonly type: "text" | "number"; readonly text: string; readonly at: number }
  | { readonly kind: "column"; readonly name: string; readonly at: number }
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

export interface NameRef {
  readonly name: string;
  readonly at: number;
}

export interface OrderKey extends NameRef {
  readonly descending: boolean;
}

export interface Branch {
  readonly items: readonly SelectItem[];
  readonly source: Source | null;
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

export type StatementBody =
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
