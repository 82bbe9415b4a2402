import type { AppField, AppState, Clock, FieldType, RecordValues } from "../model.ts";

/** What the word index still holds of values that were just changed (kintone-rest §13.5). */
export interface SearchLag {
  /** Remembers what a write replaces; `before` is null for a new record. Deletes are immediate and need no word. */
  note(app: AppState, key: number, before: RecordValues | null, after: RecordValues): void;
  /** The text the index holds: the old one until the lag is over, then `current`. */
  searchable(field: number, key: number, current: string): string;
}

const SEARCHED: ReadonlySet<FieldType> = new Set<FieldType>([
  "SINGLE_LINE_TEXT",
  "MULTI_LINE_TEXT",
  "RICH_TEXT",
  "LINK",
  "FILE",
]);

interface Version {
  readonly text: string;
  readonly until: number;
}

/** The text as it stands in a stored body, which is what a search is handed. */
const stored = (value: RecordValues[string] | undefined): string =>
  typeof value === "string" ? value : JSON.stringify(value ?? "");

/** Keeps replaced texts for as long as `lagMs` says at the time of the write; nothing while that is 0. */
export function createSearchLag(clock: Clock, lagMs: () => number): SearchLag {
  const versions = new Map<string, readonly Version[]>();
  const nameOf = (field: number, key: number): string => `${field} ${key}`;

  function forgetOld(now: number): void {
    for (const [name, list] of versions) {
      const last = list.at(-1);
      if (last !== undefined && last.until > now) return;
      versions.delete(name);
    }
  }

  function remember({ no }: AppField, key: number, version: Version): void {
    const name = nameOf(no, key);
    const list = versions.get(name) ?? [];
    // Last in the map: it is walked from the oldest.
    versions.delete(name);
    versions.set(name, [...list, version]);
  }

  return {
    note(app, key, before, after) {
      const lag = lagMs();
      if (lag <= 0) return;
      const now = clock.now();
      forgetOld(now);
      for (const [code, field] of app.fields) {
        if (!SEARCHED.has(field.definition.type)) continue;
        const old = before === null ? "" : stored(before[code]);
        if (old !== stored(after[code])) remember(field, key, { text: old, until: now + lag });
      }
    },
    searchable(field, key, current) {
      if (versions.size === 0) return current;
      const now = clock.now();
      return versions.get(nameOf(field, key))?.find((version) => version.until > now)?.text ?? current;
    },
  };
}
