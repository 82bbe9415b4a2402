import { FORM_FIELD_TYPES, type FormFieldType } from "../model.ts";
import type { Database } from "../storage/database.ts";
import { decimalKey, isDecimalText } from "../values/decimal.ts";
import { indexKey } from "../values/index-keys.ts";
import { matchesLike } from "./like.ts";
import type { SearchLag } from "./search-lag.ts";

/** File lists stand in the body as JSON; their names are what `like` searches. */
function searchable(value: string): string {
  if (!value.startsWith("[")) return value;
  try {
    const parsed: unknown = JSON.parse(value);
    if (!Array.isArray(parsed)) return value;
    const names = parsed.map((item: unknown) =>
      typeof item === "object" && item !== null && "name" in item ? String(item.name) : "",
    );
    return names.join(" ");
  } catch {
    // A text that merely begins with a bracket.
    return value;
  }
}

/** Formatted text as it is read: without its tags. */
const plain = (html: string): string =>
  html
    .replace(/<[^>]*>/g, " ")
    .replace(/&(lt|gt|quot|nbsp|amp);/g, (_, name: string) => ENTITIES[name] ?? " ");
const ENTITIES: Readonly<Record<string, string>> = { lt: "<", gt: ">", quot: '"', nbsp: " ", amp: "&" };

/** Registers the SQL functions that compiled queries call. `lag` says what an index that lags behind still holds. */
export function installQueryFunctions(database: Database, lag: SearchLag): void {
  database.defineFunction("kintone_number", (value) =>
    typeof value === "string" && isDecimalText(value) ? decimalKey(value) : "",
  );
  database.defineFunction("kintone_key", (type, value) =>
    typeof value !== "string" || value === ""
      ? null
      : indexKey(isFormType(type) ? type : "SINGLE_LINE_TEXT", value),
  );
  database.defineFunction("kintone_like", (value, pattern, field, key) => {
    const current = typeof value === "string" ? value : "";
    const known =
      typeof field === "number" && typeof key === "number" ? lag.searchable(field, key, current) : current;
    return typeof pattern === "string" && matchesLike(searchable(known), pattern) ? 1 : 0;
  });
  database.defineFunction("kintone_plain", (value) => (typeof value === "string" ? plain(value) : ""));
  // Blank, newline and tab only count as empty (kintone-rest §13.2).
  database.defineFunction("kintone_blank", (value) =>
    typeof value !== "string" || value.trim() === "" || value === "[]" ? 1 : 0,
  );
}

const isFormType = (type: unknown): type is FormFieldType => FORM_FIELD_TYPES.some((known) => known === type);
