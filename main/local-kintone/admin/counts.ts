import { integer, type Snapshot } from "../storage/database.ts";

/** How much a store holds. */
export interface Counts {
  readonly apps: number;
  readonly records: number;
  /** Uploads that no record has taken yet included. */
  readonly files: number;
}

export function countAll(store: Snapshot): Counts {
  const count = (table: string): number => {
    const row = store.sql(`SELECT count(*) AS n FROM ${table}`).get();
    return row === undefined ? 0 : integer(row, "n");
  };
  return { apps: count("apps"), records: count("records"), files: count("files") };
}
