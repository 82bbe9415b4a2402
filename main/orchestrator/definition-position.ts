import {
  type Alias,
  type Document,
  isAlias,
  isCollection,
  isMap,
  isNode,
  isScalar,
  type LineCounter,
  type Node,
  visit,
} from "yaml";

/** 1-based, in UTF-16 units. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Line and column of an offset. */
export function positionAt(lines: LineCounter, offset: number): Position {
  const { line, col } = lines.linePos(offset);
  return { line, column: col };
}

/**
 * Where a place of orchestration section 1.2 lies in the text: the property itself where one is named, else the
 * value, else the nearest value around it (a property that is missing has no text). Null without any text.
 */
export function positionOfPlace(
  document: Document,
  lines: LineCounter,
  place: string,
  property: string | null,
): Position | null {
  const node = nodeAt(document, segmentsOf(place));
  const key = property === null ? null : keyNode(node, property);
  const offset = (key ?? node)?.range?.[0];
  return offset === undefined ? null : positionAt(lines, offset);
}

/** The alias that cannot be resolved, else the first one: what keeps a document from having a value. */
export function positionOfAlias(document: Document, lines: LineCounter): Position | null {
  const aliases: Alias[] = [];
  visit(document, { Alias: (_key, alias) => void aliases.push(alias) });
  const found = aliases.find((alias) => alias.resolve(document) === undefined) ?? aliases[0];
  const offset = found?.range?.[0];
  return offset === undefined ? null : positionAt(lines, offset);
}

/** The node at the end of the path, through aliases; the deepest one on the way where the path ends early. */
function nodeAt(document: Document, segments: readonly string[]): Node | null {
  let node = followed(document, document.contents);
  for (const segment of segments) {
    const next = isCollection(node) ? followed(document, childOf(node, segment)) : null;
    if (next === null) return node;
    node = next;
  }
  return node;
}

function childOf(node: { get(key: unknown, keepScalar: true): unknown }, segment: string): unknown {
  // A digit is an index in a list and may be a key of either type in a map.
  return node.get(segment, true) ?? (/^\d+$/.test(segment) ? node.get(Number(segment), true) : undefined);
}

function followed(document: Document, value: unknown): Node | null {
  if (isAlias(value)) return value.resolve(document) ?? value;
  return isNode(value) ? value : null;
}

function keyNode(node: Node | null, property: string): Node | null {
  if (!isMap(node)) return null;
  const keys = node.items.map((pair) => pair.key).filter((key) => isScalar(key));
  return keys.find((key) => String(key.value) === property) ?? null;
}

/** `$/a/0` and `$.a.b/0/c` alike: dots separate names only before the first slash (orchestration section 1.2). */
function segmentsOf(place: string): readonly string[] {
  const [head = "", ...rest] = place.replace(/^\$[./]?/, "").split("/");
  const names = place.startsWith("$/") ? [head] : head.split(".");
  return [...names, ...rest]
    .filter((segment) => segment !== "")
    .map((segment) => segment.replaceAll("~1", "/").replaceAll("~0", "~"));
}
