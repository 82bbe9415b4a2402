import type { ImportEncoding, Rejects, WriteBody } from "./ast.ts";
import type { Cursor } from "./cursor.ts";
import { syntaxError, unsupported } from "./diagnostic.ts";
import { parseTarget } from "./parse-source.ts";
import { parseFieldList } from "./parse-write.ts";

const REFUSED: readonly (readonly [string, string])[] = [
  ["BY", "IMPORT … BY NAME"],
  ["NO", "IMPORT … NO HEADER"],
  ["SELECT", "IMPORT … SELECT"],
  ["CHECK", "CHECK"],
  ["VALIDATE", "IMPORT … VALIDATE ONLY"],
];

/** IMPORT … FROM CSV (job-dialect §5.9), the word itself still ahead. Throws DialectError. */
export function parseImport(cursor: Cursor): WriteBody {
  const { start } = cursor.next();
  for (const word of ["JSON", "UPDATE"]) {
    if (cursor.isKeyword(word)) throw unsupported(`IMPORT ${word}`, start);
  }
  cursor.expectKeyword("INTO");
  const target = parseTarget(cursor);
  const fields = parseFieldList(cursor);
  cursor.expectKeyword("FROM");
  if (cursor.isKeyword("JSON")) throw unsupported("IMPORT … FROM JSON", cursor.peek().start);
  cursor.expectKeyword("CSV");
  const sourceName = parseSourceName(cursor);
  refuseVariants(cursor);
  const encoding = cursor.takeKeyword("ENCODING") ? parseEncoding(cursor) : null;
  refuseVariants(cursor);
  const key = takeOn(cursor, "DUPLICATE") ? parseFieldList(cursor) : [];
  refuseVariants(cursor);
  const rejects = takeOn(cursor, "ERROR") ? parseRejects(cursor) : null;
  return { kind: "import", target, fields, sourceName, encoding, key, rejects, at: start };
}

function refuseVariants(cursor: Cursor): void {
  for (const [word, construct] of REFUSED) {
    if (cursor.isKeyword(word)) throw unsupported(construct, cursor.peek().start);
  }
}

function takeOn(cursor: Cursor, word: string): boolean {
  if (!cursor.isKeyword("ON") || !cursor.isKeyword(word, 1)) return false;
  cursor.next();
  cursor.next();
  return true;
}

function parseSourceName(cursor: Cursor): string {
  const token = cursor.peek();
  const named = token.kind === "word" || token.kind === "quoted" || token.kind === "string";
  if (!named || token.text === "") throw cursor.expected("The name of a supplied source");
  cursor.next();
  return token.text;
}

function parseEncoding(cursor: Cursor): ImportEncoding {
  if (cursor.takeKeyword("UTF8")) return "UTF8";
  if (cursor.takeKeyword("SJIS")) return "SJIS";
  throw cursor.expected("UTF8 or SJIS");
}

function parseRejects(cursor: Cursor): Rejects {
  cursor.expectKeyword("SKIP");
  cursor.expectKeyword("INTO");
  const token = cursor.peek();
  if (token.kind !== "temp") throw cursor.expected("The temp table (#name) for the refused rows");
  cursor.next();
  return { table: token.text, limit: parseLimit(cursor), at: token.start };
}

function parseLimit(cursor: Cursor): number | null {
  if (!cursor.takeKeyword("REJECT")) return null;
  cursor.expectKeyword("LIMIT");
  const token = cursor.peek();
  const limit = token.kind === "number" && /^\d{1,9}$/.test(token.text) ? Number(token.text) : null;
  if (limit === null) throw syntaxError("REJECT LIMIT needs a whole number.", token.start);
  cursor.next();
  return limit;
}
