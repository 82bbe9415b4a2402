import { records } from "./001-records.ts";
import { settings } from "./002-settings.ts";
import { fields } from "./003-fields.ts";
import type { Migration } from "./migration.ts";

export type { Migration } from "./migration.ts";

/** Every layout step in order. */
export const MIGRATIONS: readonly Migration[] = [records, settings, fields];
