/** A piece of SQL with its parameters in order. */
export interface Fragment {
  readonly sql: string;
  readonly params: readonly (string | number)[];
}

export const NOTHING: Fragment = { sql: "0", params: [] };
export const EVERYTHING: Fragment = { sql: "1", params: [] };

/** SQLite limits the depth of an expression; a balanced tree keeps long chains shallow. */
export function joinBalanced(parts: readonly Fragment[], word: "AND" | "OR"): Fragment {
  const [first] = parts;
  if (first === undefined) return EVERYTHING;
  if (parts.length === 1) return first;
  const middle = parts.length >> 1;
  const left = joinBalanced(parts.slice(0, middle), word);
  const right = joinBalanced(parts.slice(middle), word);
  return { sql: `(${left.sql} ${word} ${right.sql})`, params: [...left.params, ...right.params] };
}

export const not = ({ sql, params }: Fragment): Fragment => ({ sql: `NOT (${sql})`, params });

/** `(?, ?, …)` for as many parameters. */
export const marks = (values: readonly unknown[]): string => `(${values.map(() => "?").join(", ")})`;
