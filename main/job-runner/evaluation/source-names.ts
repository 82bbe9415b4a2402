import type { Branch, Source } from "../dialect/ast.ts";
import { syntaxError } from "../dialect/diagnostic.ts";
import { foldName } from "../values/column-type.ts";

/** What a branch calls a source: its alias, else its own name. */
export function sourceName(source: Source, alias: string | null): string {
  if (alias !== null) return alias;
  if (source.kind === "app") return `APP${source.appId}`;
  return source.kind === "logicalApp" ? `LAPP_${source.name}` : source.name;
}

/** Names of all sources of a branch, in order. Throws DialectError KSQL1202 when two are called alike. */
export function sourceNames(branch: Branch): readonly string[] {
  if (branch.source === null) return [];
  const names = [sourceName(branch.source, branch.alias)];
  for (const { source, alias, at } of branch.joins) {
    const name = sourceName(source, alias);
    if (names.some((other) => foldName(other) === foldName(name))) {
      throw syntaxError(`Two sources are called "${name}"; give each an alias of its own.`, at);
    }
    names.push(name);
  }
  return names;
}
