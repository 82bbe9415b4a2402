import type { Token } from "./tokens.ts";

/** One dependency of a file on a module, however it is written. */
export interface ImportEdge {
  readonly specifier: string;
  readonly line: number;
  /** True for `import type` and `export type … from`: erased, so nothing runs because of it. */
  readonly typeOnly: boolean;
}

/**
 * Every import of a source: `import`, `import type`, side-effect imports, re-exports, `import()` in code
 * and in types, and `require()`.
 */
export function importsOf(tokens: readonly Token[]): readonly ImportEdge[] {
  const edges: ImportEdge[] = [];
  for (let index = 0; index < tokens.length; index += 1) {
    const edge = edgeAt(tokens, index);
    if (edge !== null) edges.push(edge);
  }
  return edges;
}

function edgeAt(tokens: readonly Token[], index: number): ImportEdge | null {
  const token = tokens[index];
  if (token?.kind !== "word" || isMember(tokens, index)) return null;
  if (token.text === "import") return importAt(tokens, index);
  if (token.text === "export") return exportAt(tokens, index);
  if (token.text === "require") return callAt(tokens, index);
  return null;
}

function isMember(tokens: readonly Token[], index: number): boolean {
  const before = tokens[index - 1];
  return before?.kind === "punctuation" && before.text === ".";
}

function importAt(tokens: readonly Token[], index: number): ImportEdge | null {
  const next = tokens[index + 1];
  if (next === undefined) return null;
  if (next.kind === "string") return { specifier: next.text, line: next.line, typeOnly: false };
  if (next.text === "(") return callAt(tokens, index);
  if (next.text === ".") return null;
  return fromClause(tokens, index + 1, isTypeKeyword(tokens, index + 1));
}

function exportAt(tokens: readonly Token[], index: number): ImportEdge | null {
  const typeOnly = isTypeKeyword(tokens, index + 1);
  const clause = tokens[typeOnly ? index + 2 : index + 1];
  if (clause?.text !== "{" && clause?.text !== "*") return null;
  return fromClause(tokens, index + 1, typeOnly);
}

/** `import type from "x"` imports a default named `type`; anything else after `type` makes it a type import. */
function isTypeKeyword(tokens: readonly Token[], index: number): boolean {
  if (tokens[index]?.text !== "type") return false;
  const after = tokens[index + 1];
  if (after?.text === "from") return tokens[index + 2]?.text === "from";
  return after?.kind === "word" || after?.text === "{" || after?.text === "*";
}

/** Looks for `from "module"` before the statement can have ended. */
function fromClause(tokens: readonly Token[], start: number, typeOnly: boolean): ImportEdge | null {
  for (let index = start; index < tokens.length; index += 1) {
    const token = tokens[index];
    const next = tokens[index + 1];
    if (token?.text === ";" || token?.text === "=") return null;
    if (token?.kind === "word" && token.text === "from" && next?.kind === "string") {
      return { specifier: next.text, line: next.line, typeOnly };
    }
    if (token?.kind === "string") return null;
  }
  return null;
}

function callAt(tokens: readonly Token[], index: number): ImportEdge | null {
  const argument = tokens[index + 2];
  if (tokens[index + 1]?.text !== "(" || argument?.kind !== "string") return null;
  return { specifier: argument.text, line: argument.line, typeOnly: false };
}
