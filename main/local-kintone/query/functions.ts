import type { Database } from "../storage/database.ts";
import { decimalKey } from "../values/decimal.ts";
import { matchesLike } from "./like.ts";

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

/** Registers the SQL functions that compiled queries call. */
export function installQueryFunctions(database: Database): void {
  database.defineFunction("kintone_number", (value) =>
    typeof value === "string" && value !== "" ? decimalKey(value) : "",
  );
  database.defineFunction("kintone_like", (value, pattern) =>
    typeof value === "string" && typeof pattern === "string" && matchesLike(searchable(value), pattern)
      ? 1
      : 0,
  );
  // Blank, newline and tab only count as empty (kintone-rest §13.2).
  database.defineFunction("kintone_blank", (value) =>
    typeof value !== "string" || value.trim() === "" || value === "[]" ? 1 : 0,
  );
}
