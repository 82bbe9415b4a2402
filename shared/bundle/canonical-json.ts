function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  // fromEntries, not assignment: a key named __proto__ must stay an ordinary key.
  return Object.fromEntries(entries.map(([key, item]) => [key, sorted(item)]));
}

/**
 * Canonical JSON of a JSON value (wire-format §3): keys sorted at every depth by UTF-16 code units, arrays
 * in order, compact, non-ASCII as it stands, unpaired surrogates as lower-case `\udxxx`, no normalisation.
 * Keys that are array indices come first in numeric order: an effect of the engine that is part of the format.
 */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(sorted(value));
}
